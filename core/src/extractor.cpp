#include "plainwright/extractor.hpp"

#include <atomic>
#include <charconv>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>
#include <queue>
#include <stdexcept>

#include "lexicon.hpp"
#include "pair_rules.hpp"
#include "plainwright/language_model.hpp"
#include "plainwright/parallel.hpp"
#include "record_store.hpp"

namespace plainwright {

namespace {

constexpr std::size_t kSentencesAtOnce = 256;

using Progress = std::function<void(const char*, std::size_t, std::size_t)>;
using LabelCounts = std::map<Label, std::uint64_t>;

void check(const ExtractionOptions& options) {
    const auto range = [](const char* name, std::size_t value, std::size_t low, std::size_t high) {
        if (value < low || value > high) {
            throw std::invalid_argument(std::string(name) + " must be from " + std::to_string(low) + " to " +
                                        std::to_string(high) + ", got " + std::to_string(value));
        }
    };
    range("max_span", options.max_span, 1, 40);  // places in a rule have 8 bits
    range("max_symbols", options.max_symbols, 1, 40);
    range("nonterminals", options.nonterminals, 0, 2);
}

// A word that would read as something else in a line of a grammar.
bool is_unwritable(std::string_view word) {
    if (word == "|||") return true;
    return word.front() == '[' && word.back() == ']' && word.find(',') != std::string_view::npos;
}

// What is counted of a rule, beside its own occurrences.
struct Marginals {
    std::uint32_t rule = 0, source = 0, source_label = 0, source_target = 0, target = 0, target_label = 0;
};
static_assert(sizeof(Marginals) == 24);

void append_number(std::string& out, std::uint32_t value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::uint32_t read_number(std::string_view bytes, std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

Label label_of(std::string_view bytes) {
    std::size_t at = 0;
    return read_symbol(bytes, at);
}

// One rule of a source, with all its alignments counted together.
struct Candidate {
    std::string_view target, label, alignment;
    std::uint32_t count = 0, best_alignment = 0;
    bool kept = false;
};

// All rules of one source, which come sorted by target and label.
class SourceGroup {
 public:
    explicit SourceGroup(const ExtractionOptions& options) : options_(options) {}

    bool empty() const { return rules_.empty(); }
    std::string_view source() const { return source_; }

    void add(const RuleParts& parts, std::uint32_t count) {
        source_ = parts.source;
        if (rules_.empty() || rules_.back().target != parts.target || rules_.back().label != parts.label) {
            rules_.push_back({parts.target, parts.label, parts.alignment});
        }
        Candidate& rule = rules_.back();
        rule.count += count;
        if (count > rule.best_alignment) {
            rule.best_alignment = count;
            rule.alignment = parts.alignment;
        }
    }

    // Writes a record by target for each rule, with what is known of its source if the rule is to be written.
    std::size_t flush(std::array<std::string, kPartitions>& batch, LabelCounts& labels) {
        choose();
        std::map<std::string_view, std::uint32_t> by_label;
        std::uint32_t total = 0;
        for (const Candidate& rule : rules_) {
            total += rule.count;
            by_label[rule.label] += rule.count;
        }
        for (std::size_t i = 0; i < rules_.size();) {
            std::uint32_t with_target = 0;
            std::size_t end = i;
            for (; end < rules_.size() && rules_[end].target == rules_[i].target; ++end)
                with_target += rules_[end].count;
            for (; i < end; ++i) write(rules_[i], total, by_label[rules_[i].label], with_target, batch);
        }
        for (const auto& [label, count] : by_label) labels[label_of(label)] += count;
        const std::size_t distinct = rules_.size();
        rules_.clear();
        return distinct;
    }

 private:
    void choose() {
        order_.clear();
        for (std::size_t i = 0; i < rules_.size(); ++i) {
            if (rules_[i].count < options_.min_count) continue;
            if (!options_.identity && rules_[i].target == source_) continue;
            order_.push_back(i);
        }
        if (options_.max_targets > 0 && order_.size() > options_.max_targets) {
            std::stable_sort(order_.begin(), order_.end(),
                             [&](std::size_t a, std::size_t b) { return rules_[a].count > rules_[b].count; });
            order_.resize(options_.max_targets);
        }
        for (const std::size_t i : order_) rules_[i].kept = true;
    }

    void write(const Candidate& rule, std::uint32_t source, std::uint32_t source_label, std::uint32_t source_target,
               std::array<std::string, kPartitions>& batch) {
        bytes_.assign(rule.target);
        bytes_ += rule.label;
        bytes_.push_back(rule.kept ? 1 : 0);
        if (rule.kept) {
            for (const std::uint32_t number : {source, source_label, source_target}) append_number(bytes_, number);
            bytes_ += source_;
            bytes_ += rule.alignment;
        }
        append_record(batch[partition_of(rule.target)], bytes_, rule.count);
    }

    const ExtractionOptions& options_;
    std::string_view source_;
    std::vector<Candidate> rules_;
    std::vector<std::size_t> order_;
    std::string bytes_;
};

// What `SourceGroup` writes, read again.
struct ByTarget {
    std::string_view target, label, source, alignment;
    bool kept = false;
    std::uint32_t count = 0;
    Marginals marginals;

    ByTarget(std::string_view bytes, std::uint32_t occurrences) : count(occurrences) {
        const std::size_t one = side_end(bytes, 0);
        std::size_t at = one;
        read_symbol(bytes, at);
        target = bytes.substr(0, one);
        label = bytes.substr(one, at - one);
        kept = bytes[at++] != 0;
        if (!kept) return;
        marginals.source = read_number(bytes, at);
        marginals.source_label = read_number(bytes, at + 4);
        marginals.source_target = read_number(bytes, at + 8);
        at += 12;
        const std::size_t end = side_end(bytes, at);
        source = bytes.substr(at, end - at);
        alignment = bytes.substr(end);
    }
};

// All rules of one target, sorted by label.
class TargetGroup {
 public:
    bool empty() const { return rules_.empty(); }
    std::string_view target() const { return rules_.front().target; }
    void add(const ByTarget& rule) { rules_.push_back(rule); }

    // Calls `take(bytes)` for each rule to be written: its parts, then its marginal counts.
    template <typename Take>
    void flush(Take&& take) {
        std::uint32_t total = 0;
        for (const ByTarget& rule : rules_) total += rule.count;
        for (std::size_t i = 0; i < rules_.size();) {
            std::uint32_t with_label = 0;
            std::size_t end = i;
            for (; end < rules_.size() && rules_[end].label == rules_[i].label; ++end) with_label += rules_[end].count;
            for (; i < end; ++i) {
                if (!rules_[i].kept) continue;
                Marginals marginals = rules_[i].marginals;
                marginals.rule = rules_[i].count;
                marginals.target = total;
                marginals.target_label = with_label;
                std::string bytes(rules_[i].source);
                bytes += rules_[i].target;
                bytes += rules_[i].label;
                bytes += rules_[i].alignment;
                bytes.append(reinterpret_cast<const char*>(&marginals), sizeof marginals);
                take(bytes);
            }
        }
        rules_.clear();
    }

 private:
    std::vector<ByTarget> rules_;
};

// Sorted records, in memory or in a file, one after the other.
class SortedRun {
 public:
    void assign(std::string bytes) { bytes_ = std::move(bytes); }
    void move_to(std::unique_ptr<UnnamedFile> file) { file_ = std::move(file); }

    // The next record stays valid until the next call.
    bool advance() {
        if (at_ + kLargest > bytes_.size() && file_ && file_->has_more()) refill();
        if (at_ == bytes_.size()) return false;
        current_ = read_record(bytes_, at_).bytes;
        return true;
    }
    std::string_view current() const { return current_; }

 private:
    static constexpr std::size_t kLargest = 1 << 17;  // a record has at most 65,541 bytes
    static constexpr std::size_t kPiece = 1 << 20;

    void refill() {
        bytes_.erase(0, at_);
        at_ = 0;
        bytes_ += file_->read(kPiece);
    }

    std::string bytes_;
    std::unique_ptr<UnnamedFile> file_;
    std::size_t at_ = 0;
    std::string_view current_;
};

std::string format(double value) {
    char text[64];
    std::snprintf(text, sizeof text, "%.5f", value);
    std::string shown = text;
    shown.erase(shown.find_last_not_of('0') + 1);
    if (shown.back() == '.') shown.pop_back();
    return shown == "-0" ? "0" : shown;
}

}  // namespace

struct RuleExtractor::Work {
    ExtractionOptions options;
    std::vector<std::string_view> words;  // by number less one, sorted
    std::vector<Symbol> source_numbers, target_numbers;
    std::unique_ptr<Lexicon> lexicon;
    LabelCounts labels;
    std::array<SortedRun, kPartitions> runs;
    std::vector<std::size_t> heap;
    bool started = false;

    bool later(std::size_t a, std::size_t b) const { return runs[a].current() > runs[b].current(); }

    void number_words(const ParallelText& text) {
        for (const TextSide* side : {&text.source(), &text.target()}) {
            words.insert(words.end(), side->vocabulary.words().begin(), side->vocabulary.words().end());
        }
        std::sort(words.begin(), words.end());
        words.erase(std::unique(words.begin(), words.end()), words.end());
        source_numbers = numbers(text.source().vocabulary);
        target_numbers = numbers(text.target().vocabulary);
    }

    std::vector<Symbol> numbers(const Vocabulary& vocabulary) const {
        std::vector<Symbol> result;
        for (const std::string& word : vocabulary.words()) {
            const auto place = std::lower_bound(words.begin(), words.end(), std::string_view(word)) - words.begin();
            result.push_back(static_cast<Symbol>(place) + 1);
        }
        return result;
    }

    // Numbers for rules: 0 for words that no rule can carry.
    static std::vector<Symbol> usable(const Vocabulary& vocabulary, std::vector<Symbol> numbers) {
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            if (is_unwritable(vocabulary.words()[i])) numbers[i] = 0;
        }
        return numbers;
    }

    // Sorts by source and sums; then the records go by target.
    std::uint64_t count_sources(RecordStore& by_source, RecordStore& by_target, const Progress& progress) {
        std::atomic<std::uint64_t> distinct{0};
        std::mutex lock;
        std::atomic<std::size_t> done{0};
        parallel_chunks(kPartitions, options.threads, 1, [&](std::size_t worker, std::size_t first, std::size_t last) {
            for (std::size_t partition = first; partition < last; ++partition) {
                const std::string bytes = by_source.take(partition);
                RecordSorter sorter;
                for (std::size_t at = 0; at < bytes.size();) {
                    const Record record = read_record(bytes, at);
                    sorter.add(record.bytes, record.count);
                }
                std::array<std::string, kPartitions> batch;
                LabelCounts own;
                SourceGroup group(options);
                std::uint64_t rules = 0;
                sorter.drain([&](std::string_view record, std::uint32_t count) {
                    const RuleParts parts(record);
                    if (!group.empty() && group.source() != parts.source) rules += group.flush(batch, own);
                    group.add(parts, count);
                });
                rules += group.flush(batch, own);
                distinct += rules;
                by_target.append(batch);
                {
                    const std::lock_guard guard(lock);
                    for (const auto& [label, count] : own) labels[label] += count;
                }
                ++done;
                if (worker == 0 && progress) progress("counting", done, 2 * kPartitions);
            }
        });
        return distinct;
    }

    // Sorts by target and sums; then the finished rules go by source, a sorted run for each partition.
    std::uint64_t count_targets(RecordStore& by_target, const Progress& progress) {
        std::atomic<std::uint64_t> written{0};
        std::atomic<std::size_t> done{0}, in_memory{0};
        parallel_chunks(kPartitions, options.threads, 1, [&](std::size_t worker, std::size_t first, std::size_t last) {
            for (std::size_t partition = first; partition < last; ++partition) {
                std::string run = finished_run(by_target.take(partition), written);
                if (in_memory.fetch_add(run.size()) + run.size() > options.memory) {
                    auto file = std::make_unique<UnnamedFile>(options.directory);
                    file->append(run);
                    runs[partition].move_to(std::move(file));
                    in_memory -= run.size();
                } else {
                    runs[partition].assign(std::move(run));
                }
                ++done;
                if (worker == 0 && progress) progress("counting", kPartitions + done, 2 * kPartitions);
            }
        });
        return written;
    }

    static std::string finished_run(const std::string& bytes, std::atomic<std::uint64_t>& written) {
        RecordSorter sorter;
        for (std::size_t at = 0; at < bytes.size();) {
            const Record record = read_record(bytes, at);
            sorter.add(record.bytes, record.count);
        }
        std::vector<std::string> finished;
        TargetGroup group;
        const auto flush = [&]() { group.flush([&](std::string& rule) { finished.push_back(std::move(rule)); }); };
        sorter.drain([&](std::string_view record, std::uint32_t count) {
            const ByTarget rule(record, count);
            if (!group.empty() && group.target() != rule.target) flush();
            group.add(rule);
        });
        flush();
        std::sort(finished.begin(), finished.end());
        std::string run;
        for (const std::string& rule : finished) append_record(run, rule, 1);
        written += finished.size();
        return run;
    }

    std::string symbol_text(Symbol symbol, const LabelNames& names) const {
        if (symbol < kNonterminal) return std::string(words[symbol - 1]);
        const Label label = (symbol & ~kNonterminal) >> 1;
        return '[' + names.text(label) + ',' + std::to_string((symbol & 1) + 1) + ']';
    }

    static std::vector<Symbol> symbols(std::string_view side) {
        std::vector<Symbol> result;
        for (std::size_t at = 0; at < side.size();) result.push_back(read_symbol(side, at));
        result.pop_back();  // the end
        return result;
    }

    // -log of the product, over the words of one side, of the mean probability given the words they are aligned to.
    double lexical(const std::vector<Symbol>& source, const std::vector<Symbol>& target, std::string_view alignment,
                   bool of_target) const {
        const std::vector<Symbol>&made = of_target ? target : source, &given = of_target ? source : target;
        double total = 0;
        for (std::size_t i = 0; i < made.size(); ++i) {
            if (made[i] >= kNonterminal) continue;
            const auto probability = [&](Symbol other) {
                return of_target ? lexicon->target_given_source(other, made[i])
                                 : lexicon->source_given_target(made[i], other);
            };
            double sum = 0;
            std::size_t points = 0;
            for (std::size_t at = 0; at < alignment.size(); at += 2) {
                const auto mine = static_cast<std::size_t>(alignment[of_target ? at + 1 : at]);
                if (mine != i) continue;
                sum += probability(given[static_cast<std::size_t>(alignment[of_target ? at : at + 1])]);
                ++points;
            }
            total -= std::log(points == 0 ? probability(0) : sum / static_cast<double>(points));
        }
        return total;
    }

    std::string line(std::string_view record, const LabelNames& names) const {
        Marginals n;
        std::memcpy(&n, record.data() + record.size() - sizeof n, sizeof n);
        const RuleParts parts(record.substr(0, record.size() - sizeof n));
        const std::vector<Symbol> source = symbols(parts.source), target = symbols(parts.target);
        const Label label = label_of(parts.label);
        const auto side = [&](const std::vector<Symbol>& side_symbols) {
            std::string text;
            for (const Symbol symbol : side_symbols) text += (text.empty() ? "" : " ") + symbol_text(symbol, names);
            return text;
        };
        const auto minus_log = [](std::uint32_t part, double whole) { return std::log(whole / part); };
        const auto label_total = static_cast<double>(labels.at(label));
        const std::pair<const char*, double> features[] = {
            {"Lex(e|f)", lexical(source, target, parts.alignment, true)},
            {"Lex(f|e)", lexical(source, target, parts.alignment, false)},
            {"LogCount", std::log(n.rule)},
            {"RarityPenalty", std::exp(1.0 - n.rule)},
            {"p(LHS|e)", minus_log(n.target_label, n.target)},
            {"p(LHS|f)", minus_log(n.source_label, n.source)},
            {"p(e|LHS)", minus_log(n.target_label, label_total)},
            {"p(e|f)", minus_log(n.source_target, n.source)},
            {"p(e|f,LHS)", minus_log(n.rule, n.source_label)},
            {"p(f|LHS)", minus_log(n.source_label, label_total)},
            {"p(f|e)", minus_log(n.source_target, n.target)},
            {"p(f|e,LHS)", minus_log(n.rule, n.target_label)},
        };
        std::string text = '[' + names.text(label) + "] ||| " + side(source) + " ||| " + side(target) + " |||";
        for (const auto& [name, value] : features) text += std::string(" ") + name + '=' + format(value);
        text += " |||";
        for (std::size_t at = 0; at < parts.alignment.size(); at += 2) {
            text += ' ' + std::to_string(int{parts.alignment[at]}) + '-' + std::to_string(int{parts.alignment[at + 1]});
        }
        return text;
    }
};

RuleExtractor::RuleExtractor(std::size_t max_tokens, LabelledSide labelled) : text_(max_tokens), labelled_(labelled) {}
RuleExtractor::~RuleExtractor() = default;

namespace {

// The beginning of a text for a message; a character of several bytes is never cut.
std::string shortened(std::string_view text, std::size_t most = 60) {
    if (text.size() <= most) return std::string(text);
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0) == 0x80) --most;
    return std::string(text.substr(0, most));
}

void parse_points(std::string_view text, std::size_t source, std::size_t target, std::vector<Point>& points) {
    const std::size_t first = points.size();
    for_each_token(text, [&](std::string_view piece) {
        std::uint16_t i = 0, j = 0;
        const char* end = piece.data() + piece.size();
        const auto one = std::from_chars(piece.data(), end, i);
        const bool dash = one.ec == std::errc() && one.ptr < end && *one.ptr == '-';
        const auto two = dash ? std::from_chars(one.ptr + 1, end, j) : one;
        if (!dash || two.ec != std::errc() || two.ptr != end || i >= source || j >= target) {
            throw std::invalid_argument("alignment points i-j with i below " + std::to_string(source) +
                                        " and j below " + std::to_string(target) + " expected, got '" +
                                        shortened(piece) + "'");
        }
        points.emplace_back(i, j);
    });
    std::sort(points.begin() + static_cast<std::ptrdiff_t>(first), points.end());
    points.erase(std::unique(points.begin() + static_cast<std::ptrdiff_t>(first), points.end()), points.end());
}

}  // namespace

PairKind RuleExtractor::add(std::string_view source, std::string_view target, std::string_view points,
                            std::string_view analysis) {
    if (work_) throw std::invalid_argument("pairs cannot be added after run");
    const PairKind kind = text_.add(source, target);
    const std::size_t last = text_.sentences() - 1;
    if (kind == PairKind::kept) {
        parse_points(points, text_.source().length(last), text_.target().length(last), points_);
        if (labelled_ != LabelledSide::none) {
            const TextSide& side = labelled_ == LabelledSide::source ? text_.source() : text_.target();
            const SentenceAnalysis parsed = parse_analysis(analysis, side.length(last), names_);
            tags_.insert(tags_.end(), parsed.tags.begin(), parsed.tags.end());
            constituents_.insert(constituents_.end(), parsed.constituents.begin(), parsed.constituents.end());
        }
    }
    point_starts_.push_back(points_.size());
    constituent_starts_.push_back(constituents_.size());
    return kind;
}

// Where several words are aligned to one that is among them, it stands for itself alone; the others went.
void RuleExtractor::drop_repeated_points() {
    std::vector<Point> kept;
    std::vector<std::uint64_t> starts = {0};
    for (std::size_t s = 0; s < text_.sentences(); ++s) {
        const auto from = text_.source().sentence(s), to = text_.target().sentence(s);
        const auto same = [&](const Point& point) {
            return text_.source().vocabulary.words()[from[point.first]] ==
                   text_.target().vocabulary.words()[to[point.second]];
        };
        const std::span points(points_.data() + point_starts_[s], points_.data() + point_starts_[s + 1]);
        for (const Point& point : points) {
            const bool repeated = !same(point) && std::any_of(points.begin(), points.end(), [&](const Point& other) {
                return other.second == point.second && same(other);
            });
            if (!repeated) kept.push_back(point);
        }
        starts.push_back(kept.size());
    }
    points_ = std::move(kept);
    point_starts_ = std::move(starts);
}

ExtractionReport RuleExtractor::run(const ExtractionOptions& options, const Progress& progress) {
    check(options);
    if (options.deletions) drop_repeated_points();
    work_ = std::make_unique<Work>();
    Work& work = *work_;
    work.options = options;
    work.options.threads = std::clamp<std::size_t>(options.threads, 1, 256);
    work.number_words(text_);
    const TextSide &source = text_.source(), &target = text_.target();
    work.lexicon = std::make_unique<Lexicon>(work.words.size());
    for (std::size_t s = 0; s < text_.sentences(); ++s) {
        const auto from = source.sentence(s), to = target.sentence(s);
        std::vector<bool> from_aligned(from.size()), to_aligned(to.size());
        for (std::uint64_t at = point_starts_[s]; at < point_starts_[s + 1]; ++at) {
            const auto& [i, j] = points_[at];
            work.lexicon->add(work.source_numbers[from[i]], work.target_numbers[to[j]]);
            from_aligned[i] = to_aligned[j] = true;
        }
        for (std::size_t i = 0; i < from.size(); ++i) {
            if (!from_aligned[i]) work.lexicon->add(work.source_numbers[from[i]], 0);
        }
        for (std::size_t j = 0; j < to.size(); ++j) {
            if (!to_aligned[j]) work.lexicon->add(0, work.target_numbers[to[j]]);
        }
    }
    work.lexicon->finish();
    const std::vector<Symbol> from_numbers = Work::usable(source.vocabulary, work.source_numbers);
    const std::vector<Symbol> to_numbers = Work::usable(target.vocabulary, work.target_numbers);
    RecordStore by_source(options.memory, options.directory), by_target(options.memory, options.directory);
    ExtractionReport report;
    std::atomic<std::uint64_t> occurrences{0};
    std::atomic<std::size_t> done{0};
    const std::size_t blocks = (text_.sentences() + kSentencesAtOnce - 1) / kSentencesAtOnce;
    parallel_chunks(blocks, work.options.threads, 1, [&](std::size_t worker, std::size_t first, std::size_t last) {
        PairRules rules(work.options);
        SpanLabels labels;
        std::string arena;
        std::vector<std::pair<std::size_t, std::size_t>> places;
        RecordSorter sorter;
        std::vector<Symbol> from, to;
        for (std::size_t block = first; block < last; ++block) {
            arena.clear();
            places.clear();
            const std::size_t end = std::min(text_.sentences(), (block + 1) * kSentencesAtOnce);
            for (std::size_t s = block * kSentencesAtOnce; s < end; ++s) {
                from.clear();
                to.clear();
                for (const TokenId token : source.sentence(s)) from.push_back(from_numbers[token]);
                for (const TokenId token : target.sentence(s)) to.push_back(to_numbers[token]);
                const bool by_source_side = labelled_ == LabelledSide::source;
                const TextSide& side = by_source_side ? source : target;
                labels.assign(side.length(s), labelled_ == LabelledSide::none ? nullptr : tags_.data() + side.starts[s],
                              constituents_.data() + constituent_starts_[s],
                              constituent_starts_[s + 1] - constituent_starts_[s]);
                rules.extract(from, to, {points_.data() + point_starts_[s], points_.data() + point_starts_[s + 1]},
                              labels, by_source_side, [&](std::string_view bytes) {
                                  places.emplace_back(arena.size(), bytes.size());
                                  arena += bytes;
                              });
            }
            for (const auto& [at, size] : places) sorter.add(std::string_view(arena).substr(at, size), 1);
            occurrences += places.size();
            std::array<std::string, kPartitions> batch;
            sorter.drain([&](std::string_view bytes, std::uint32_t count) {
                append_record(batch[partition_of(bytes.substr(0, side_end(bytes, 0)))], bytes, count);
            });
            by_source.append(batch);
            ++done;
            if (worker == 0 && progress) progress("extracting", done, blocks);
        }
    });
    report.occurrences = occurrences;
    report.distinct = work.count_sources(by_source, by_target, progress);
    report.written = work.count_targets(by_target, progress);
    return report;
}

std::vector<std::string> RuleExtractor::next(std::size_t most) {
    if (!work_) throw std::invalid_argument("run before asking for rules");
    Work& work = *work_;
    const auto later = [&](std::size_t a, std::size_t b) { return work.later(a, b); };
    if (!work.started) {
        for (std::size_t i = 0; i < kPartitions; ++i) {
            if (work.runs[i].advance()) work.heap.push_back(i);
        }
        std::make_heap(work.heap.begin(), work.heap.end(), later);
        work.started = true;
    }
    std::vector<std::string> lines;
    while (lines.size() < most && !work.heap.empty()) {
        std::pop_heap(work.heap.begin(), work.heap.end(), later);
        const std::size_t run = work.heap.back();
        lines.push_back(work.line(work.runs[run].current(), names_));
        if (work.runs[run].advance()) {
            std::push_heap(work.heap.begin(), work.heap.end(), later);
        } else {
            work.heap.pop_back();
        }
    }
    return lines;
}

}  // namespace plainwright
