#include "plainwright/decoder.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <stdexcept>

#include "plainwright/kbest.hpp"
#include "plainwright/parallel.hpp"
#include "plainwright/search.hpp"

namespace plainwright {

namespace {

void require(bool condition, const char* message) {
    if (!condition) throw std::invalid_argument(message);
}

void check(const Sentence& sentence) {
    for (const LabelledSpan& span : sentence.analysis) {
        require(span.begin < span.end && span.end <= sentence.tokens.size(),
                "a labelled span must hold at least one token and lie inside its sentence");
    }
}

// Numbers texts in the order they are first seen since start().
class Numbering {
 public:
    void start(std::vector<std::string>& texts) {
        texts_ = &texts;
        for (const std::uint32_t key : used_) numbers_[key] = kNone;
        used_.clear();
    }
    template <typename Text>
    std::uint32_t number(std::uint32_t key, Text&& text) {
        if (key >= numbers_.size()) numbers_.resize(key + 1, kNone);
        if (numbers_[key] == kNone) {
            numbers_[key] = static_cast<std::uint32_t>(texts_->size());
            used_.push_back(key);
            texts_->emplace_back(text(key));
        }
        return numbers_[key];
    }

 private:
    std::vector<std::string>* texts_ = nullptr;
    std::vector<std::uint32_t> numbers_, used_;
};

}  // namespace

// Everything one thread needs, kept warm from sentence to sentence.
class DecoderWorker {
 public:
    DecoderWorker(const FeatureSpace& features, const LanguageModel* lm, const DecoderSettings& settings)
        : features_(features),
          settings_(settings),
          rules_(features, lm),
          parser_(rules_, settings_.parser),
          search_(rules_, settings_.pop_limit),
          phrases_(rules_, settings_.parser, settings_.phrases, settings_.pop_limit),
          kbest_(rules_, settings_.distinct) {}

    DecodeResult decode(const Sentence& sentence) {
        DecodeResult result;
        result.too_long = sentence.tokens.size() > settings_.max_tokens;
        if (result.too_long) return result;
        explore(sentence);
        collect(result);
        return result;
    }

    Forest forest(const Sentence& sentence) {
        if (sentence.tokens.size() > settings_.max_tokens) return {};
        explore(sentence);
        return reachable_forest();
    }

 private:
    // A candidate before it is known where it stands; what it has many of lies in drafted_.
    struct Draft {
        double score;
        std::size_t first_token, last_token;
        std::size_t first_step, last_step;
        std::size_t features;
    };
    struct Drafted {
        std::vector<TokenId> tokens;
        std::vector<Step> steps;
        std::vector<double> features;
    };

    void explore(const Sentence& sentence) {
        rules_.trim();
        if (settings_.search == SearchKind::phrases) {
            phrases_.run(sentence, graph_);
            return;
        }
        parser_.parse(sentence, graph_);
        search_.run(graph_);
    }

    void collect(DecodeResult& result) {
        kbest_.start(graph_);
        rows_.assign(graph_.edges.size(), kNone);
        row_values_.clear();
        drafts_.clear();
        drafted_.tokens.clear();
        drafted_.steps.clear();
        drafted_.features.clear();
        for (std::uint32_t rank = 0; rank < settings_.candidates; ++rank) {
            if (kbest_.get(graph_.goal_item(), rank) == nullptr) break;
            draft(rank);
        }
        std::stable_sort(drafts_.begin(), drafts_.end(), [this](const Draft& a, const Draft& b) {
            return a.score != b.score ? a.score > b.score : text_before(tokens_of(a), tokens_of(b));
        });
        write(result);
    }

    std::span<const TokenId> tokens_of(const Draft& draft) const {
        return {drafted_.tokens.data() + draft.first_token, drafted_.tokens.data() + draft.last_token};
    }

    bool text_before(std::span<const TokenId> a, std::span<const TokenId> b) const {
        return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), [this](TokenId x, TokenId y) {
            return rules_.token_text(x) < rules_.token_text(y);
        });
    }

    void draft(std::uint32_t rank) {
        Draft draft{0, drafted_.tokens.size(), 0, drafted_.steps.size(), 0, drafted_.features.size()};
        drafted_.features.resize(draft.features + features_.size(), 0.0);
        double* values = drafted_.features.data() + draft.features;
        unfold(graph_.goal_item(), rank, 0, draft.first_token, values);
        draft.last_token = drafted_.tokens.size();
        draft.last_step = drafted_.steps.size();
        const std::span<const TokenId> tokens = tokens_of(draft);
        values[kLm] = rules_.lm_score(tokens);
        values[kWordPenalty] = static_cast<double>(tokens.size());
        if (rules_.scorer().model() != nullptr) {
            values[kLmUnknown] = static_cast<double>(std::count_if(
                tokens.begin(), tokens.end(), [this](TokenId token) { return rules_.lm_word(token) == 0; }));
        }
        for (std::size_t f = 0; f < features_.size(); ++f) draft.score += features_.weight(f) * values[f];
        draft.score = comparable(draft.score);
        drafts_.push_back(draft);
    }

    // Replays a derivation: its words, its steps and the features that search only knew as one sum.
    void unfold(ItemId item, std::uint32_t rank, std::uint32_t depth, std::size_t first_token, double* features) {
        const Derivation derivation = *kbest_.get(item, rank);
        const Edge& edge = graph_.edges[derivation.edge];
        const Bundle& bundle = graph_.bundles[edge.bundle];
        const RuleOption& option = bundle.rules->options[edge.option];
        const Node& head = graph_.nodes[bundle.head];
        const bool built_in = bundle.rules->grammar == kBuiltInGrammar;
        const bool shown = !built_in || option.number <= kUnknownWordRule;
        const auto place = [&] { return static_cast<std::uint32_t>(drafted_.tokens.size() - first_token); };
        const std::size_t step = drafted_.steps.size();
        if (shown) {
            drafted_.steps.push_back({built_in ? -1 : bundle.rules->grammar, option.number, head.label, depth,
                                      head.begin, head.end, place(), 0});
        }
        add_features(derivation.edge, features);
        for (const std::int32_t symbol : option.target) {
            if (symbol >= 0) {
                drafted_.tokens.push_back(static_cast<TokenId>(symbol));
            } else {
                const auto tail = static_cast<std::size_t>(-1 - symbol);
                unfold(edge.tails[tail], derivation.ranks[tail], depth + shown, first_token, features);
            }
        }
        if (shown) drafted_.steps[step].target_end = place();
    }

    void add_features(std::uint32_t edge, double* features) {
        const Bundle& bundle = graph_.bundles[graph_.edges[edge].bundle];
        const RuleOption& option = bundle.rules->options[graph_.edges[edge].option];
        if (bundle.label_agrees) features[kLabelAgrees] += 1;
        if (bundle.rules->grammar == kBuiltInGrammar) {
            if (option.number <= kUnknownWordRule) features[kIdentity] += 1;
            if (option.number == kUnknownWordRule) features[kOovPenalty] += 1;
            if (option.number == kGlueNext) features[kGlue] += 1;
            if (settings_.search == SearchKind::phrases) features[kDistortion] += jump(graph_.edges[edge], option);
            return;
        }
        const std::vector<std::size_t>& indices = features_.indices(bundle.rules->grammar);
        const float* values = row(edge, bundle.rules->grammar, option.number);
        for (std::size_t f = 0; f < indices.size(); ++f) features[indices[f]] += values[f];
    }

    // How far the phrase that glue puts down lies from where the one before it ended.
    double jump(const Edge& edge, const RuleOption& glue) const {
        if (glue.number != kGlueFirst && glue.number != kGlueNext) return 0;
        const auto place = [this](ItemId item) { return graph_.nodes[graph_.items[item].node]; };
        if (glue.number == kGlueFirst) return place(edge.tails[0]).begin;
        const std::int64_t begin = place(edge.tails[1]).begin, end = place(edge.tails[0]).end;
        return static_cast<double>(std::abs(begin - end));
    }

    // A rule's own features, read once for each edge that uses it.
    const float* row(std::uint32_t edge, std::size_t grammar, std::uint32_t rule) {
        if (rows_[edge] == kNone) {
            const Grammar& source = *features_.grammars()[grammar].grammar;
            rows_[edge] = static_cast<std::uint32_t>(row_values_.size());
            row_values_.resize(row_values_.size() + source.feature_count());
            source.features(rule, row_values_.data() + rows_[edge]);
        }
        return row_values_.data() + rows_[edge];
    }

    void write(DecodeResult& result) {
        words_.start(result.words);
        labels_.start(result.labels);
        result.candidates.reserve(drafts_.size());
        result.tokens.reserve(drafted_.tokens.size());
        result.features.reserve(drafted_.features.size());
        for (const Draft& draft : drafts_) {
            Candidate candidate{draft.score, static_cast<std::uint32_t>(result.tokens.size()), 0,
                                static_cast<std::uint32_t>(result.steps.size()), 0};
            for (const TokenId token : tokens_of(draft)) {
                result.tokens.push_back(words_.number(token, [this](TokenId t) { return rules_.token_text(t); }));
            }
            const bool with_steps = result.candidates.size() < settings_.derivations;
            for (std::size_t i = draft.first_step; with_steps && i < draft.last_step; ++i) {
                result.steps.push_back(drafted_.steps[i]);
                std::uint32_t& label = result.steps.back().label;
                label = labels_.number(label, [this](LabelId l) { return rules_.label_text(l); });
            }
            candidate.last_token = static_cast<std::uint32_t>(result.tokens.size());
            candidate.last_step = static_cast<std::uint32_t>(result.steps.size());
            result.candidates.push_back(candidate);
            const double* values = drafted_.features.data() + draft.features;
            result.features.insert(result.features.end(), values, values + features_.size());
        }
    }

    Forest reachable_forest() {
        std::vector<std::uint32_t> numbers(graph_.items.size(), kNone);
        std::vector<ItemId> waiting{graph_.goal_item()};
        for (std::size_t i = 0; i < waiting.size(); ++i) {
            for (std::uint32_t e = graph_.items[waiting[i]].first_edge; e != kNone; e = graph_.edges[e].next) {
                for (const ItemId tail : graph_.edges[e].tails) {
                    if (tail == kNone || numbers[tail] == 0) continue;
                    numbers[tail] = 0;
                    waiting.push_back(tail);
                }
            }
        }
        std::sort(waiting.begin(), waiting.end());
        for (std::size_t i = 0; i < waiting.size(); ++i) numbers[waiting[i]] = static_cast<std::uint32_t>(i);
        Forest forest;
        for (const ItemId item : waiting) show(item, numbers, forest);
        return forest;
    }

    void show(ItemId number, const std::vector<std::uint32_t>& numbers, Forest& forest) const {
        const Item& item = graph_.items[number];
        const Node& node = graph_.nodes[item.node];
        forest.items.push_back({node.begin, node.end, std::string(rules_.label_text(node.label)), item.score});
        for (std::uint32_t e = item.first_edge; e != kNone; e = graph_.edges[e].next) {
            const Edge& edge = graph_.edges[e];
            const RuleList& rules = *graph_.bundles[edge.bundle].rules;
            const RuleOption& option = rules.options[edge.option];
            Forest::Edge shown{numbers[number], {}, rules.grammar == kBuiltInGrammar ? -1 : rules.grammar,
                               option.number,   {}, edge.gain};
            for (const ItemId tail : edge.tails) {
                if (tail != kNone) shown.tails.push_back(numbers[tail]);
            }
            for (const std::int32_t symbol : option.target) {
                if (symbol < 0) {
                    shown.target.emplace_back(symbol == -1 ? "[1]" : "[2]");
                } else {
                    shown.target.emplace_back(rules_.token_text(static_cast<TokenId>(symbol)));
                }
            }
            forest.edges.push_back(std::move(shown));
        }
    }

    const FeatureSpace& features_;
    DecoderSettings settings_;
    RuleBook rules_;
    ChartParser parser_;
    Search search_;
    PhraseSearch phrases_;
    KBest kbest_;
    Hypergraph graph_;
    std::vector<Draft> drafts_;
    Drafted drafted_;
    Numbering words_, labels_;
    std::vector<std::uint32_t> rows_;  // by edge, in row_values_
    std::vector<float> row_values_;
};

Decoder::Decoder(std::vector<GrammarBlock> grammars, std::shared_ptr<const LanguageModel> lm,
                 const std::vector<std::pair<std::string, double>>& weights, DecoderSettings settings)
    : features_(std::move(grammars), settings.search == SearchKind::phrases),
      lm_(std::move(lm)),
      settings_(std::move(settings)) {
    features_.set_weights(weights);
    require(features_.grammars().size() < kBuiltInGrammar, "more than 254 grammars");
    require(settings_.parser.span_limit >= 1, "span_limit must be at least 1");
    require(settings_.phrases.distortion_limit <= kMostDistortion, "distortion_limit must be at most 60");
    if (settings_.search == SearchKind::phrases) {
        for (const GrammarBlock& block : features_.grammars()) {
            require(!has_gaps(*block.grammar), "phrase search takes rules without gaps");
        }
    }
    require(settings_.candidates >= 1, "candidates must be at least 1");
    require(!settings_.parser.default_label.empty(), "default_label must not be empty");
}

Decoder::~Decoder() = default;

std::vector<DecodeResult> Decoder::decode(const std::vector<Sentence>& sentences, std::size_t threads) const {
    for (const Sentence& sentence : sentences) check(sentence);
    std::vector<DecodeResult> results(sentences.size());
    std::vector<std::unique_ptr<DecoderWorker>> workers(std::max<std::size_t>(1, threads));
    parallel_chunks(sentences.size(), threads, 1, [&](std::size_t worker, std::size_t first, std::size_t last) {
        if (!workers[worker]) workers[worker] = take_worker();
        for (std::size_t i = first; i < last; ++i) results[i] = workers[worker]->decode(sentences[i]);
    });
    for (auto& worker : workers) {
        if (worker) give_back(std::move(worker));
    }
    return results;
}

Forest Decoder::forest(const Sentence& sentence) const {
    check(sentence);
    auto worker = take_worker();
    Forest forest = worker->forest(sentence);
    give_back(std::move(worker));
    return forest;
}

std::unique_ptr<DecoderWorker> Decoder::take_worker() const {
    const std::lock_guard guard(lock_);
    if (idle_.empty()) return std::make_unique<DecoderWorker>(features_, lm_.get(), settings_);
    auto worker = std::move(idle_.back());
    idle_.pop_back();
    return worker;
}

void Decoder::give_back(std::unique_ptr<DecoderWorker> worker) const {
    const std::lock_guard guard(lock_);
    idle_.push_back(std::move(worker));
}

}  // namespace plainwright
