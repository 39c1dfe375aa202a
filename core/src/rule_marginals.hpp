// Marginal counts of rules, for their features: partitions are counted by source first, then by target.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "pair_rules.hpp"
#include "record_store.hpp"

namespace plainwright {

using LabelCounts = std::map<Label, std::uint64_t>;

// What is counted of a rule, beside its own occurrences.
struct Marginals {
    std::uint32_t rule = 0, source = 0, source_label = 0, source_target = 0, target = 0, target_label = 0;
};
static_assert(sizeof(Marginals) == 24);

inline void append_number(std::string& out, std::uint32_t value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

inline std::uint32_t read_number(std::string_view bytes, std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

inline Label label_of(std::string_view bytes) {
    std::size_t at = 0;
    return read_symbol(bytes, at);
}

// One rule of a source, with all its alignments counted together.
struct CountedRule {
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
        CountedRule& rule = rules_.back();
        rule.count += count;
        if (count > rule.best_alignment) {
            rule.best_alignment = count;
            rule.alignment = parts.alignment;
        }
    }

    // Writes a record by target for each rule, with what is known of its source if the rule is to be written.
    std::size_t flush(RecordBatch& batch, LabelCounts& labels) {
        choose();
        std::map<std::string_view, std::uint32_t> by_label;
        std::uint32_t total = 0;
        for (const CountedRule& rule : rules_) {
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

    void write(const CountedRule& rule, std::uint32_t source, std::uint32_t source_label, std::uint32_t source_target,
               RecordBatch& batch) {
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
    std::vector<CountedRule> rules_;
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

// Counts one partition of occurrences by source and writes records by target. Returns the number of distinct rules.
inline std::uint64_t count_by_source(std::string_view occurrences, const ExtractionOptions& options, RecordBatch& batch,
                                     LabelCounts& labels) {
    RecordSorter sorter;
    sorter.add_all(occurrences);
    SourceGroup group(options);
    std::uint64_t rules = 0;
    sorter.drain([&](std::string_view record, std::uint32_t count) {
        const RuleParts parts(record);
        if (!group.empty() && group.source() != parts.source) rules += group.flush(batch, labels);
        group.add(parts, count);
    });
    return rules + group.flush(batch, labels);
}

// Counts one partition of these records by target. Returns the rules to be written, sorted: parts, then marginals.
inline std::vector<std::string> count_by_target(std::string_view counted) {
    RecordSorter sorter;
    sorter.add_all(counted);
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
    return finished;
}

}  // namespace plainwright
