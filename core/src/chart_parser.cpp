#include "plainwright/chart_parser.hpp"

#include <algorithm>

namespace plainwright {

void ChartParser::parse(const Sentence& sentence, Hypergraph& graph) {
    start(sentence, graph);
    const std::size_t length = sentence.tokens.size();
    for (std::size_t end = 1; end <= length; ++end) {
        const std::size_t first = end > settings_.span_limit ? end - settings_.span_limit : 0;
        for (std::size_t begin = end; begin-- > first;) parse_cell(begin, end);
        add_glue(end);
    }
    add_goal(length);
}

void ChartParser::start(const Sentence& sentence, Hypergraph& graph) {
    graph_ = &graph;
    graph.clear();
    const std::size_t length = sentence.tokens.size();
    width_ = std::min(settings_.span_limit, length) + 1;
    if (cells_.size() < length * width_) cells_.resize(length * width_);
    for (std::size_t i = 0; i < length * width_; ++i) {
        cells_[i].nodes.clear();
        cells_[i].kept.clear();
        cells_[i].kept_words = kNone;
        cells_[i].label_bits = 0;
        cells_[i].read_next_token.clear();
        cells_[i].expect_phrase.clear();
    }
    default_label_ = rules_.label(settings_.default_label);
    glue_label_ = rules_.label("S (glue)");  // no rule can have a label with a space
    tokens_.clear();
    for (const std::string_view token : sentence.tokens) tokens_.push_back(rules_.token(token));
    symbols_.assign(rules_.grammars(), {});
    unknown_.assign(length, true);
    for (std::size_t g = 0; g < rules_.grammars(); ++g) {
        for (std::size_t i = 0; i < length; ++i) {
            symbols_[g].push_back(rules_.word_symbol(g, tokens_[i]));
            const SourceNode* node = rules_.first_word(g, tokens_[i]);
            if (node != nullptr && node->has_rules) unknown_[i] = false;
        }
    }
    analysis_.clear();
    for (const LabelledSpan& span : sentence.analysis) {
        analysis_.push_back({span.begin, span.end, rules_.label(span.label)});
    }
    std::sort(analysis_.begin(), analysis_.end());
    analysis_.erase(std::unique(analysis_.begin(), analysis_.end()), analysis_.end());
    want_kept();
    prefix_.assign(length + 1, kNone);
    shadowed_.clear();
    if (settings_.longest_match) cast_shadows();
}

// A phrase that no rule of an allowed label rewrites casts none, nor does one that only rules with gaps match.
void ChartParser::cast_shadows() {
    const std::size_t length = tokens_.size();
    shadowed_.assign(length * width_, false);
    const auto cast = [&](std::size_t begin, std::size_t end) {
        for (std::size_t first = begin; first < end; ++first) {
            const std::size_t longest = first == begin ? end - begin - 1 : end - first;
            for (std::size_t size = 1; size <= longest; ++size) shadowed_[first * width_ + size] = true;
        }
    };
    for (std::size_t g = 0; g < rules_.grammars(); ++g) {
        for (std::size_t begin = 0; begin < length; ++begin) {
            SourceNode* node = rules_.first_word(g, tokens_[begin]);
            for (std::size_t end = begin + 1; node != nullptr; ++end) {
                const auto fits = [&](const RuleList& list) { return allowed(list.label, begin, end); };
                if (end > begin + 1 && node->has_rules && std::ranges::any_of(rules_.rules(g, *node), fits)) {
                    cast(begin, end);
                }
                const bool stop = end == length || end - begin == settings_.span_limit;
                node = stop ? nullptr : rules_.next_word(g, *node, symbols_[g][end]);
            }
        }
    }
}

void ChartParser::parse_cell(std::size_t begin, std::size_t end) {
    open_group();
    read_token(begin, end);
    read_phrases(begin, end);
    if (end == begin + 1) add_identity(begin);
    close_group();
    rename(begin, end);
    if (!wanted_.empty()) keep_words(begin, end);
    read_first_phrase(begin, end);
}

void ChartParser::read_token(std::size_t begin, std::size_t end) {
    for (std::size_t g = 0; g < rules_.grammars() && end == begin + 1; ++g) {
        SourceNode* node = rules_.first_word(g, tokens_[begin]);
        if (node != nullptr) complete({node, {kNone, kNone}, static_cast<std::uint8_t>(g), 0}, begin, end);
    }
    if (end == begin + 1) return;
    for (const Dot& dot : cell(begin, end - 1).read_next_token) complete(dot, begin, end);
}

void ChartParser::read_phrases(std::size_t begin, std::size_t end) {
    for (std::size_t middle = begin + 1; middle < end; ++middle) {
        const Cell& phrases = cell(middle, end);
        if (phrases.label_bits == 0) continue;
        for (const Dot& dot : cell(begin, middle).expect_phrase) {
            if ((dot.node->label_bits & phrases.label_bits) != 0) read_phrase(dot, phrases, begin, end);
        }
    }
}

void ChartParser::read_phrase(const Dot& dot, const Cell& phrases, std::size_t begin, std::size_t end) {
    const auto follow = [&](NodeId phrase, SourceNode* node) {
        Dot next = dot;
        next.node = node;
        next.tails[next.tails_read++] = phrase;
        complete(next, begin, end);
    };
    const std::span<const Symbol> labels = dot.node->next.labels;
    for (const std::vector<NodeId>* found : {&phrases.nodes, &phrases.kept}) {
        if (labels.size() < found->size()) {
            for (std::size_t i = 0; i < labels.size(); ++i) {
                const NodeId phrase = labelled(*found, rules_.label_of(dot.grammar, labels[i]));
                if (phrase != kNone) follow(phrase, rules_.child_at(dot.grammar, *dot.node, i));
            }
            continue;
        }
        for (const NodeId phrase : *found) {
            const LabelId label = graph_->nodes[phrase].label;
            if ((dot.node->label_bits & label_bit(label)) == 0) continue;
            SourceNode* node = rules_.next_label(dot.grammar, *dot.node, rules_.symbol(dot.grammar, label));
            if (node != nullptr) follow(phrase, node);
        }
    }
}

// Source sides that start with a nonterminal. Those that are nothing else have been dealt with by rename().
void ChartParser::read_first_phrase(std::size_t begin, std::size_t end) {
    const Cell& phrases = cell(begin, end);
    for (std::size_t g = 0; g < rules_.grammars(); ++g) {
        for (const std::vector<NodeId>* found : {&phrases.nodes, &phrases.kept}) {
            for (const NodeId phrase : *found) {
                SourceNode* node = rules_.first_label(g, graph_->nodes[phrase].label);
                if (node != nullptr) keep({node, {phrase, kNone}, static_cast<std::uint8_t>(g), 1}, begin, end);
            }
        }
    }
}

void ChartParser::complete(const Dot& dot, std::size_t begin, std::size_t end) {
    if (dot.node->has_rules && !shadowed(begin, end)) {
        for (const RuleList& list : rules_.rules(dot.grammar, *dot.node)) {
            if (!allowed(list.label, begin, end)) continue;
            add_bundle(list, node_for(list.label, begin, end), dot.tails[0], dot.tails[1]);
        }
    }
    keep(dot, begin, end);
}

void ChartParser::keep(const Dot& dot, std::size_t begin, std::size_t end) {
    if (end == tokens_.size() || end - begin == settings_.span_limit) return;
    SourceNode* next = rules_.next_word(dot.grammar, *dot.node, symbols_[dot.grammar][end]);
    if (next != nullptr) cell(begin, end).read_next_token.push_back({next, dot.tails, dot.grammar, dot.tails_read});
    if (dot.tails_read < 2 && dot.node->label_bits != 0) cell(begin, end).expect_phrase.push_back(dot);
}

void ChartParser::add_identity(std::size_t begin) {
    const RuleList& rules = rules_.identity(tokens_[begin], unknown_[begin], default_label_);
    add_bundle(rules, node_for(default_label_, begin, begin + 1), kNone, kNone);
}

// Which spans of the analysis can fill a gap, and how far words must be joined for them.
void ChartParser::want_kept() {
    wanted_.clear();
    several_ = false;
    reach_.assign(tokens_.size(), 0);
    for (std::size_t i = 0; i < analysis_.size(); ++i) {
        const auto [begin, end, label] = analysis_[i];
        const bool known = label == default_label_ && end == begin + 1;  // as any word
        if (known || end - begin > settings_.span_limit || !rules_.fills_gaps(label)) continue;
        if (wanted_.empty()) wanted_.assign(analysis_.size(), false);
        wanted_[i] = true;
        if (end > begin + 1) reach_[begin] = std::max<std::size_t>(reach_[begin], end);
        several_ |= end > begin + 1;
    }
}

// Nodes for the words of a span as they are: one for each label, and one that longer spans go on from.
void ChartParser::keep_words(std::size_t begin, std::size_t end) {
    open_group();
    const Analysed first{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), 0};
    const auto found = std::lower_bound(analysis_.begin(), analysis_.end(), first);
    kept_labels_.clear();
    for (auto span = found; span != analysis_.end() && span->begin == begin && span->end == end; ++span) {
        if (wanted_[static_cast<std::size_t>(span - analysis_.begin())]) kept_labels_.push_back(span->label);
    }
    std::ranges::sort(kept_labels_, {}, [this](LabelId label) { return rules_.label_text(label); });
    for (const LabelId label : kept_labels_) keep_labelled(begin, end, label);
    if (end == begin + 1 ? several_ : reach_[begin] > end) {
        cell(begin, end).kept_words = new_node(default_label_, begin, end);
        add_kept_bundle(cell(begin, end).kept_words, begin, end);
    }
    close_group();
}

void ChartParser::keep_labelled(std::size_t begin, std::size_t end, LabelId label) {
    const NodeId node = new_node(label, begin, end);
    cell(begin, end).kept.push_back(node);
    cell(begin, end).label_bits |= label_bit(label);
    add_kept_bundle(node, begin, end);
}

void ChartParser::add_kept_bundle(NodeId head, std::size_t begin, std::size_t end) {
    if (end == begin + 1) {
        add_bundle(rules_.identity(tokens_[begin], unknown_[begin], default_label_), head, kNone, kNone);
    } else {
        const NodeId before = cell(begin, end - 1).kept_words, last = cell(end - 1, end).kept_words;
        add_bundle(rules_.glue(kKeepNext), head, before, last);
    }
}

// Rules that rename a whole span form levels: those of one level apply to what the level below has built, so a cycle
// of such rules is followed for as many steps as there are levels and no further.
void ChartParser::rename(std::size_t begin, std::size_t end) {
    const std::size_t bottom = graph_->groups.empty() ? 0 : graph_->groups.back().first_bundle;
    std::vector<NodeId>& visible = cell(begin, end).nodes;
    if (visible.empty()) return;
    const std::size_t first = visible.front(), built = visible.size();
    std::size_t below = first;
    for (std::size_t level = 0; level < settings_.unary_limit; ++level) {
        const std::size_t above = graph_->nodes.size();
        rename_level(below, above);
        if (graph_->nodes.size() == above) break;
        below = above;
    }
    if (graph_->nodes.size() > first + built) gather_levels(bottom, begin, end);
}

void ChartParser::rename_level(std::size_t first, std::size_t last) {
    open_group();
    for (std::size_t node = first; node < last; ++node) {
        const Node below = graph_->nodes[node];
        if (shadowed(below.begin, below.end)) continue;
        for (std::size_t g = 0; g < rules_.grammars(); ++g) {
            SourceNode* source = rules_.first_label(g, below.label);
            if (source == nullptr || !source->has_rules) continue;
            for (const RuleList& list : rules_.rules(g, *source)) {
                if (!allowed(list.label, below.begin, below.end)) continue;
                add_bundle(list, node_for(list.label, below.begin, below.end), static_cast<NodeId>(node), kNone);
            }
        }
    }
    close_group();
}

// One node for each label with the bundles of all levels: what larger spans see.
void ChartParser::gather_levels(std::size_t first, std::size_t begin, std::size_t end) {
    std::vector<NodeId>& visible = cell(begin, end).nodes;
    visible.clear();
    open_group();
    const std::size_t last = graph_->bundles.size();
    for (std::size_t i = first; i < last; ++i) {
        const Bundle bundle = graph_->bundles[i];
        const LabelId label = graph_->nodes[bundle.head].label;
        const NodeId head = node_for(label, begin, end);
        add_bundle(*bundle.rules, head, bundle.tails[0], bundle.tails[1]);
    }
    close_group();
}

void ChartParser::add_glue(std::size_t end) {
    open_group();
    const NodeId head = static_cast<NodeId>(graph_->nodes.size());
    graph_->nodes.push_back({0, static_cast<std::uint32_t>(end), glue_label_});
    const std::size_t first = end > settings_.span_limit ? end - settings_.span_limit : 0;
    for (std::size_t begin = first; begin < end; ++begin) {
        for (const NodeId phrase : cell(begin, end).nodes) {
            if (begin == 0) {
                add_bundle(rules_.glue(kGlueFirst), head, phrase, kNone);
            } else {
                add_bundle(rules_.glue(kGlueNext), head, prefix_[begin], phrase);
            }
        }
    }
    close_group();
    prefix_[end] = head;
}

void ChartParser::add_goal(std::size_t length) {
    open_group();
    graph_->goal = static_cast<NodeId>(graph_->nodes.size());
    graph_->nodes.push_back({0, static_cast<std::uint32_t>(length), glue_label_});
    add_bundle(rules_.glue(length == 0 ? kEmptyGoalRule : kGoalRule), graph_->goal, prefix_[length], kNone);
    close_group();
}

void ChartParser::open_group() {
    ++stamp_;
    slots_.resize(std::max(slots_.size(), rules_.labels()));
    const auto bundle = static_cast<std::uint32_t>(graph_->bundles.size());
    graph_->groups.push_back({bundle, bundle});
}

void ChartParser::close_group() {
    Group& group = graph_->groups.back();
    group.last_bundle = static_cast<std::uint32_t>(graph_->bundles.size());
    if (group.first_bundle == group.last_bundle) graph_->groups.pop_back();
}

NodeId ChartParser::node_for(LabelId label, std::size_t begin, std::size_t end) {
    if (label >= slots_.size()) slots_.resize(label + 1);
    LabelSlot& slot = slots_[label];
    if (slot.stamp == stamp_) return slot.node;
    slot = {stamp_, new_node(label, begin, end)};
    cell(begin, end).nodes.push_back(slot.node);
    cell(begin, end).label_bits |= label_bit(label);
    return slot.node;
}

NodeId ChartParser::new_node(LabelId label, std::size_t begin, std::size_t end) {
    graph_->nodes.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), label});
    return static_cast<NodeId>(graph_->nodes.size() - 1);
}

void ChartParser::add_bundle(const RuleList& rules, NodeId head, NodeId first, NodeId second) {
    const Node& node = graph_->nodes[head];
    const bool ours = rules.grammar == kBuiltInGrammar;
    const bool label_agrees = !ours && agrees(node.label, node.begin, node.end);
    graph_->bundles.push_back({&rules, rules.best_key, {first, second}, head, label_agrees});
}

bool ChartParser::agrees(LabelId label, std::size_t begin, std::size_t end) const {
    if (analysis_.empty()) return false;
    const Analysed wanted{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), label};
    return std::binary_search(analysis_.begin(), analysis_.end(), wanted);
}

// Without an analysis nothing is known against a rule.
bool ChartParser::allowed(LabelId label, std::size_t begin, std::size_t end) const {
    return !settings_.strict_labels || label == default_label_ || analysis_.empty() || agrees(label, begin, end);
}

bool ChartParser::shadowed(std::size_t begin, std::size_t end) const {
    return !shadowed_.empty() && shadowed_[begin * width_ + end - begin];
}

NodeId ChartParser::labelled(const std::vector<NodeId>& nodes, LabelId label) const {
    for (const NodeId node : nodes) {
        if (graph_->nodes[node].label == label) return node;
    }
    return kNone;
}

}  // namespace plainwright
