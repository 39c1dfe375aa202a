#include "plainwright/extractor.hpp"

#include <atomic>
#include <charconv>
#include <mutex>
#include <stdexcept>

#include "lexicon.hpp"
#include "pair_rules.hpp"
#include "plainwright/language_model.hpp"
#include "plainwright/parallel.hpp"
#include "record_store.hpp"
#include "rule_formatter.hpp"
#include "rule_marginals.hpp"
#include "run_merger.hpp"

namespace plainwright {

namespace {

constexpr std::size_t kSentencesAtOnce = 256;

using Progress = std::function<void(const char*, std::size_t, std::size_t)>;

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

}  // namespace

struct RuleExtractor::Work {
    class BlockExtractor;

    const RuleExtractor& pairs;
    ExtractionOptions options;
    std::vector<std::string_view> words;  // by number less one, sorted
    std::vector<Symbol> source_numbers, target_numbers;
    Lexicon lexicon{0};
    LabelCounts labels;
    RunMerger runs;

    Work(const RuleExtractor& extractor, const ExtractionOptions& chosen) : pairs(extractor), options(chosen) {
        options.threads = std::clamp<std::size_t>(options.threads, 1, 256);
    }

    std::span<const Point> points(std::size_t s) const {
        return {pairs.points_.data() + pairs.point_starts_[s], pairs.points_.data() + pairs.point_starts_[s + 1]};
    }

    void number_words() {
        const TextSide &source = pairs.text_.source(), &target = pairs.text_.target();
        for (const TextSide* side : {&source, &target}) {
            words.insert(words.end(), side->vocabulary.words().begin(), side->vocabulary.words().end());
        }
        std::sort(words.begin(), words.end());
        words.erase(std::unique(words.begin(), words.end()), words.end());
        source_numbers = numbers(source.vocabulary);
        target_numbers = numbers(target.vocabulary);
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

    void build_lexicon() {
        lexicon = Lexicon(words.size());
        for (std::size_t s = 0; s < pairs.text_.sentences(); ++s) {
            const auto from = pairs.text_.source().sentence(s), to = pairs.text_.target().sentence(s);
            std::vector<bool> from_aligned(from.size()), to_aligned(to.size());
            for (const auto& [i, j] : points(s)) {
                lexicon.add(source_numbers[from[i]], target_numbers[to[j]]);
                from_aligned[i] = to_aligned[j] = true;
            }
            for (std::size_t i = 0; i < from.size(); ++i) {
                if (!from_aligned[i]) lexicon.add(source_numbers[from[i]], 0);
            }
            for (std::size_t j = 0; j < to.size(); ++j) {
                if (!to_aligned[j]) lexicon.add(0, target_numbers[to[j]]);
            }
        }
        lexicon.finish();
    }

    std::uint64_t extract(RecordStore& by_source, const Progress& progress) const;

    // Calls `count(partition)` for every partition; `before` is the progress so far.
    template <typename Count>
    void for_each_partition(std::size_t before, const Progress& progress, Count&& count) const {
        std::atomic<std::size_t> done{before};
        parallel_chunks(kPartitions, options.threads, 1, [&](std::size_t worker, std::size_t first, std::size_t last) {
            for (std::size_t partition = first; partition < last; ++partition) {
                count(partition);
                ++done;
                if (worker == 0 && progress) progress("counting", done, 2 * kPartitions);
            }
        });
    }

    // Sorts by source and sums; then the records go by target.
    std::uint64_t count_sources(RecordStore& by_source, RecordStore& by_target, const Progress& progress) {
        std::atomic<std::uint64_t> distinct{0};
        std::mutex lock;
        for_each_partition(0, progress, [&](std::size_t partition) {
            RecordBatch batch;
            LabelCounts own;
            distinct += count_by_source(by_source.take(partition), options, batch, own);
            by_target.append(batch);
            const std::lock_guard guard(lock);
            for (const auto& [label, count] : own) labels[label] += count;
        });
        return distinct;
    }

    // Sorts by target and sums; then the finished rules go by source, a sorted run for each partition.
    std::uint64_t count_targets(RecordStore& by_target, const Progress& progress) {
        std::atomic<std::uint64_t> written{0};
        std::atomic<std::size_t> in_memory{0};
        for_each_partition(kPartitions, progress, [&](std::size_t partition) {
            const std::vector<std::string> finished = count_by_target(by_target.take(partition));
            written += finished.size();
            std::string run;
            for (const std::string& rule : finished) append_record(run, rule, 1);
            if (in_memory.fetch_add(run.size()) + run.size() > options.memory) {
                auto file = std::make_unique<UnnamedFile>(options.directory);
                file->append(run);
                runs[partition].move_to(std::move(file));
                in_memory -= run.size();
            } else {
                runs[partition].assign(std::move(run));
            }
        });
        return written;
    }
};

// Extracts the rules of one block of sentences at a time; every thread has its own.
class RuleExtractor::Work::BlockExtractor {
 public:
    BlockExtractor(const Work& work, const std::vector<Symbol>& source_numbers,
                   const std::vector<Symbol>& target_numbers)
        : work_(work), source_numbers_(source_numbers), target_numbers_(target_numbers), rules_(work.options) {}

    void add_pair(std::size_t s) {
        const RuleExtractor& pairs = work_.pairs;
        const TextSide &source = pairs.text_.source(), &target = pairs.text_.target();
        from_.clear();
        to_.clear();
        for (const TokenId token : source.sentence(s)) from_.push_back(source_numbers_[token]);
        for (const TokenId token : target.sentence(s)) to_.push_back(target_numbers_[token]);
        const bool by_source_side = pairs.labelled_ == LabelledSide::source;
        const TextSide& side = by_source_side ? source : target;
        const std::uint64_t first = pairs.constituent_starts_[s], last = pairs.constituent_starts_[s + 1];
        labels_.assign(side.length(s),
                       pairs.labelled_ == LabelledSide::none ? nullptr : pairs.tags_.data() + side.starts[s],
                       pairs.constituents_.data() + first, last - first);
        rules_.extract(from_, to_, work_.points(s), labels_, by_source_side, [&](std::string_view bytes) {
            places_.emplace_back(arena_.size(), bytes.size());
            arena_ += bytes;
        });
    }

    // Sorts, sums and stores the rules of the block; returns the number of occurrences.
    std::size_t flush(RecordStore& by_source) {
        for (const auto& [at, size] : places_) sorter_.add(std::string_view(arena_).substr(at, size), 1);
        RecordBatch batch;
        sorter_.drain([&](std::string_view bytes, std::uint32_t count) {
            append_record(batch[partition_of(bytes.substr(0, side_end(bytes, 0)))], bytes, count);
        });
        by_source.append(batch);
        const std::size_t occurrences = places_.size();
        arena_.clear();
        places_.clear();
        return occurrences;
    }

 private:
    const Work& work_;
    const std::vector<Symbol>&source_numbers_, &target_numbers_;
    PairRules rules_;
    SpanLabels labels_;
    std::string arena_;
    std::vector<std::pair<std::size_t, std::size_t>> places_;  // in the arena
    RecordSorter sorter_;
    std::vector<Symbol> from_, to_;
};

std::uint64_t RuleExtractor::Work::extract(RecordStore& by_source, const Progress& progress) const {
    const std::vector<Symbol> source = usable(pairs.text_.source().vocabulary, source_numbers);
    const std::vector<Symbol> target = usable(pairs.text_.target().vocabulary, target_numbers);
    std::atomic<std::uint64_t> occurrences{0};
    std::atomic<std::size_t> done{0};
    const std::size_t sentences = pairs.text_.sentences();
    const std::size_t blocks = (sentences + kSentencesAtOnce - 1) / kSentencesAtOnce;
    parallel_chunks(blocks, options.threads, 1, [&](std::size_t worker, std::size_t first, std::size_t last) {
        BlockExtractor extractor(*this, source, target);
        for (std::size_t block = first; block < last; ++block) {
            const std::size_t end = std::min(sentences, (block + 1) * kSentencesAtOnce);
            for (std::size_t s = block * kSentencesAtOnce; s < end; ++s) extractor.add_pair(s);
            occurrences += extractor.flush(by_source);
            ++done;
            if (worker == 0 && progress) progress("extracting", done, blocks);
        }
    });
    return occurrences;
}

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
    work_ = std::make_unique<Work>(*this, options);
    work_->number_words();
    work_->build_lexicon();
    RecordStore by_source(options.memory, options.directory), by_target(options.memory, options.directory);
    ExtractionReport report;
    report.occurrences = work_->extract(by_source, progress);
    report.distinct = work_->count_sources(by_source, by_target, progress);
    report.written = work_->count_targets(by_target, progress);
    return report;
}

std::vector<std::string> RuleExtractor::next(std::size_t most) {
    if (!work_) throw std::invalid_argument("run before asking for rules");
    const RuleFormatter format(work_->words, work_->lexicon, work_->labels, names_);
    std::vector<std::string> lines;
    work_->runs.read(most, [&](std::string_view record) { lines.push_back(format(record)); });
    return lines;
}

}  // namespace plainwright
