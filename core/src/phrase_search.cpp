#include "plainwright/phrase_search.hpp"

#include <algorithm>
#include <bit>

#include "plainwright/lm_scorer.hpp"

namespace plainwright {

namespace {

constexpr double kWorst = -std::numeric_limits<double>::infinity();

std::uint32_t distance(std::uint32_t a, std::uint32_t b) { return a < b ? b - a : a - b; }

}  // namespace

bool has_gaps(const Grammar& grammar) {
    std::vector<TrieNode> waiting{0};
    while (!waiting.empty()) {
        const TrieChildren next = grammar.children(waiting.back());
        waiting.pop_back();
        if (!next.labels.empty()) return true;
        for (std::size_t i = 0; i < next.words.size(); ++i) waiting.push_back(next.first + static_cast<TrieNode>(i));
    }
    return false;
}

// Of the words [begin, end), those beyond the gap that have a bit.
std::uint64_t PhraseSearch::Coverage::bits(std::uint32_t begin, std::uint32_t end) const {
    const std::uint32_t first = gap + 1;
    const std::uint32_t low = std::max(begin, first) - first, high = std::min<std::uint32_t>(end - first, 64);
    if (low >= high) return 0;
    const std::uint64_t below_high = high == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << high) - 1;
    return below_high & ~((std::uint64_t{1} << low) - 1);
}

PhraseSearch::Coverage PhraseSearch::Coverage::with(std::uint32_t begin, std::uint32_t end) const {
    if (begin > gap) return {gap, ahead | bits(begin, end)};
    const std::uint32_t shift = end - gap - 1;
    const std::uint64_t from_end = shift < 64 ? ahead >> shift : 0;  // the first bit is for the word `end`
    const auto covered = static_cast<std::uint32_t>(std::countr_one(from_end));
    return {end + covered, covered < 63 ? from_end >> (covered + 1) : 0};
}

std::size_t PhraseSearch::StateHash::operator()(const State& state) const {
    std::uint64_t value = std::hash<LmState>{}(state.lm);
    for (const std::uint64_t part :
         {std::uint64_t{state.coverage.gap}, state.coverage.ahead, std::uint64_t{state.end}}) {
        value = (value ^ part) * 0x9E3779B97F4A7C15ULL;
        value ^= value >> 32;
    }
    return static_cast<std::size_t>(value);
}

void PhraseSearch::run(const Sentence& sentence, Hypergraph& graph) {
    start(sentence, graph);
    for (std::size_t begin = 0; begin < tokens_.size(); ++begin) find_phrases(begin);
    estimate_futures();
    for (std::size_t covered = 0; covered < tokens_.size(); ++covered) {
        keep_best(stacks_[covered]);
        for (const Hypothesis& hypothesis : stacks_[covered].hypotheses) extend(hypothesis, covered);
    }
    add_goal(stacks_.back());
}

void PhraseSearch::start(const Sentence& sentence, Hypergraph& graph) {
    graph.clear();
    graph_ = &graph;
    default_label_ = rules_.label(parser_.default_label);
    glue_label_ = rules_.label("S (glue)");  // as in a chart
    tokens_.clear();
    for (const std::string_view token : sentence.tokens) tokens_.push_back(rules_.token(token));
    longest_ = std::max<std::size_t>(1, std::min(parser_.span_limit, tokens_.size()));
    phrases_.assign(tokens_.size() * longest_, {});
    ends_.clear();
    for (std::size_t end = 0; end <= tokens_.size(); ++end) ends_.push_back(add_node(0, end, glue_label_));
    first_glue_ = add_bundle(rules_.glue(kGlueFirst), ends_.back());
    next_glue_ = add_bundle(rules_.glue(kGlueNext), ends_.back());
    stacks_.assign(tokens_.size() + 1, {});
    for (Stack& stack : stacks_) stack.next_count = stack_limit_;
    Hypothesis nothing;
    if (rules_.scorer().model() != nullptr) nothing.state.lm = rules_.scorer().model()->begin_state();
    stacks_.front().hypotheses.push_back(nothing);
}

void PhraseSearch::find_phrases(std::size_t begin) {
    reading_.assign(rules_.grammars(), nullptr);
    bool more = true;
    for (std::size_t end = begin + 1; more && end <= std::min(tokens_.size(), begin + longest_); ++end) {
        std::vector<PhraseOption>& found = phrases_[begin * longest_ + end - begin - 1];
        more = false;
        for (std::size_t g = 0; g < rules_.grammars(); ++g) {
            SourceNode*& node = reading_[g];
            if (end == begin + 1) {
                node = rules_.first_word(g, tokens_[begin]);
            } else if (node != nullptr) {
                node = rules_.next_word(g, *node, rules_.word_symbol(g, tokens_[end - 1]));
            }
            if (node == nullptr) continue;
            more = true;
            if (!node->has_rules) continue;
            for (const RuleList& list : rules_.rules(g, *node)) {
                for (std::uint32_t i = 0; i < list.options.size(); ++i) found.push_back({&list, i});
            }
        }
        // A word that no grammar knows on its own stays as it is: so every sentence has an output.
        if (end == begin + 1 && found.empty())
            found.push_back({&rules_.identity(tokens_[begin], true, default_label_), 0});
        add_options(begin, end);
    }
}

// Leaves the best options of a source phrase, and gives each an item.
void PhraseSearch::add_options(std::size_t begin, std::size_t end) {
    std::vector<PhraseOption>& options = phrases_[begin * longest_ + end - begin - 1];
    std::stable_sort(options.begin(), options.end(), [](const PhraseOption& a, const PhraseOption& b) {
        return a.rule().order_key > b.rule().order_key;
    });
    if (settings_.phrase_options > 0 && options.size() > settings_.phrase_options) {
        options.resize(settings_.phrase_options);
    }
    const RuleList* list = nullptr;
    std::uint32_t bundle = 0;
    for (PhraseOption& option : options) {
        if (option.list != list) {
            list = option.list;
            bundle = add_bundle(*list, add_node(begin, end, list->label));
        }
        const RuleOption& rule = option.rule();
        option.item = add_item(graph_->bundles[bundle].head, rule.order_key);
        graph_->items[option.item].boundary = rule.boundary;
        add_edge(option.item, bundle, option.index, {kNone, kNone}, rule.order_key);
    }
}

double PhraseSearch::best_phrase(std::size_t begin, std::size_t length) const {
    const std::vector<PhraseOption>& options = phrases_[begin * longest_ + length - 1];
    return options.empty() ? kWorst : options.front().rule().order_key + rules_.features().weight(kGlue);
}

void PhraseSearch::estimate_futures() {
    const std::size_t size = tokens_.size(), widest = settings_.distortion_limit + 1;
    suffix_futures_.assign(size + 1, kWorst);
    suffix_futures_[size] = 0;
    span_futures_.assign((size + 1) * widest, kWorst);
    span_futures_[size * widest] = 0;
    for (std::size_t begin = size; begin-- > 0;) {
        double* spans = span_futures_.data() + begin * widest;
        spans[0] = 0;
        for (std::size_t length = 1; length <= std::min(longest_, size - begin); ++length) {
            const double best = best_phrase(begin, length);
            double& suffix = suffix_futures_[begin];
            suffix = std::max(suffix, comparable(best + suffix_futures_[begin + length]));
            const double* after = span_futures_.data() + (begin + length) * widest;
            for (std::size_t span = length; span < widest && begin + span <= size; ++span) {
                spans[span] = std::max(spans[span], comparable(best + after[span - length]));
            }
        }
    }
}

double PhraseSearch::future(const Coverage& coverage) const {
    double sum = 0;
    std::uint32_t hole = coverage.gap, at = coverage.gap + 1;
    for (std::uint64_t bits = coverage.ahead; bits != 0; bits >>= 1, ++at) {
        if ((bits & 1) == 0) continue;
        sum += span_futures_[hole * (settings_.distortion_limit + 1) + at - hole];
        hole = at + 1;
    }
    return sum + suffix_futures_[hole];
}

// Phrases start at the first gap, or so near that the way back to it is no longer than the distortion limit. Then no
// hypothesis can get stuck.
void PhraseSearch::extend(const Hypothesis& hypothesis, std::size_t covered) {
    const Coverage& coverage = hypothesis.state.coverage;
    const auto limit = static_cast<std::uint32_t>(settings_.distortion_limit);
    const auto size = static_cast<std::uint32_t>(tokens_.size());
    for (std::uint32_t begin = coverage.gap; begin < size && begin <= coverage.gap + limit; ++begin) {
        if (begin > coverage.gap && distance(begin, hypothesis.state.end) > limit) continue;
        for (std::uint32_t end = begin + 1; end <= size && end - begin <= longest_; ++end) {
            if (!coverage.free(begin, end) || (begin > coverage.gap && end - coverage.gap > limit)) break;
            if (phrases_[begin * longest_ + end - begin - 1].empty()) continue;
            extend_over(hypothesis, begin, end, stacks_[covered + end - begin]);
        }
    }
}

void PhraseSearch::extend_over(const Hypothesis& hypothesis, std::uint32_t begin, std::uint32_t end, Stack& stack) {
    Hypothesis made;
    made.state.coverage = hypothesis.state.coverage.with(begin, end);
    made.state.end = end;
    made.future = future(made.state.coverage);
    const FeatureSpace& features = rules_.features();
    double step = features.weight(kDistortion) * distance(begin, hypothesis.state.end);
    if (hypothesis.item != kNone) step += features.weight(kGlue);
    for (const PhraseOption& phrase : phrases_[begin * longest_ + end - begin - 1]) {
        // Asking the language model is most of the work, so it is not asked about what has no hope to be kept.
        const double guess = comparable(hypothesis.score + phrase.rule().order_key + step + made.future);
        if (guess < stack.worst_kept) break;
        place_behind(hypothesis, phrase, step, made);
        add(hypothesis, phrase, made, stack);
    }
}

void PhraseSearch::place_behind(const Hypothesis& hypothesis, const PhraseOption& phrase, double step,
                                Hypothesis& made) const {
    double gain = step;
    if (const LanguageModel* lm = rules_.scorer().model(); lm != nullptr) {
        PhraseReader reader(*lm, hypothesis.state.lm, lm->order() - 1);
        reader.phrase(phrase.rule().boundary);
        gain += reader.log10() * rules_.features().weight(kLm);
        made.state.lm = reader.boundary().right;
    }
    made.score = comparable(hypothesis.score + phrase.rule().order_key + gain);
}

void PhraseSearch::add(const Hypothesis& before, const PhraseOption& phrase, const Hypothesis& made, Stack& stack) {
    const auto found = stack.places.find(made.state);
    std::size_t place = stack.hypotheses.size();
    if (found != stack.places.end()) {
        place = found->second;
    } else {
        if (made.total() < stack.worst_kept) return;
        stack.places.emplace(made.state, place);
        stack.hypotheses.push_back(made);
        stack.hypotheses.back().item = add_item(ends_[made.state.end], made.score);
    }
    Hypothesis& kept = stack.hypotheses[place];
    kept.score = std::max(kept.score, made.score);
    const bool first = before.item == kNone;
    const std::array<ItemId, 2> tails{first ? phrase.item : before.item, first ? kNone : phrase.item};
    add_edge(kept.item, first ? first_glue_ : next_glue_, 0, tails, made.score);
    raise_threshold(stack);
}

void PhraseSearch::keep_best(Stack& stack) const {
    std::stable_sort(stack.hypotheses.begin(), stack.hypotheses.end(),
                     [](const Hypothesis& a, const Hypothesis& b) { return a.total() > b.total(); });
    if (stack_limit_ > 0 && stack.hypotheses.size() > stack_limit_) stack.hypotheses.resize(stack_limit_);
    stack.places.clear();
}

// From now on nothing is added that would not be among the best ones of the stack as it is.
void PhraseSearch::raise_threshold(Stack& stack) const {
    if (stack_limit_ == 0 || stack.hypotheses.size() < stack.next_count) return;
    stack.next_count = stack.hypotheses.size() + stack_limit_;
    std::vector<double> totals;
    for (const Hypothesis& hypothesis : stack.hypotheses) totals.push_back(hypothesis.total());
    const auto last_kept = totals.begin() + static_cast<std::ptrdiff_t>(stack_limit_ - 1);
    std::nth_element(totals.begin(), last_kept, totals.end(), std::greater<>());
    stack.worst_kept = std::max(stack.worst_kept, *last_kept);
}

void PhraseSearch::add_goal(const Stack& last) {
    graph_->goal = add_node(0, tokens_.size(), glue_label_);
    const bool empty = tokens_.empty();
    const std::uint32_t bundle = add_bundle(rules_.glue(empty ? kEmptyGoalRule : kGoalRule), graph_->goal);
    const ItemId goal = add_item(graph_->goal, kWorst);
    for (const Hypothesis& hypothesis : last.hypotheses) {
        const double score = comparable(hypothesis.score + end_score(hypothesis.state.lm));
        add_edge(goal, bundle, 0, {hypothesis.item, kNone}, score);
    }
    graph_->ranking.push_back(goal);
    graph_->ranking_scores.push_back(graph_->items[goal].score);
    graph_->nodes[graph_->goal].last_item = 1;
}

double PhraseSearch::end_score(const LmState& state) const {
    const LanguageModel* lm = rules_.scorer().model();
    if (lm == nullptr) return 0;
    LmState next;
    return lm->score(state, lm->end_sentence(), next).log10 * rules_.features().weight(kLm);
}

ItemId PhraseSearch::add_item(NodeId node, double score) {
    graph_->items.push_back({{}, node, kNone, kNone, score});
    return static_cast<ItemId>(graph_->items.size() - 1);
}

NodeId PhraseSearch::add_node(std::size_t begin, std::size_t end, LabelId label) {
    graph_->nodes.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), label});
    return static_cast<NodeId>(graph_->nodes.size() - 1);
}

std::uint32_t PhraseSearch::add_bundle(const RuleList& rules, NodeId head) {
    graph_->bundles.push_back({&rules, rules.best_key, {kNone, kNone}, head, false});
    return static_cast<std::uint32_t>(graph_->bundles.size() - 1);
}

// The scores of all tails are final; `score` is that of the item by this edge.
void PhraseSearch::add_edge(ItemId to, std::uint32_t bundle, std::uint32_t option, std::array<ItemId, 2> tails,
                            double score) {
    const auto number = static_cast<std::uint32_t>(graph_->edges.size());
    Edge edge{bundle, option, tails, kNone, score};
    for (const ItemId tail : tails) {
        if (tail != kNone) edge.gain -= graph_->items[tail].score;
    }
    graph_->edges.push_back(edge);
    Item& item = graph_->items[to];
    if (item.first_edge == kNone) {
        item.first_edge = number;
    } else {
        graph_->edges[item.last_edge].next = number;
    }
    item.last_edge = number;
    item.score = std::max(item.score, score);
}

}  // namespace plainwright
