// Formats a counted rule, with its features, as a line of PPDB text.
#pragma once

#include <cmath>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lexicon.hpp"
#include "plainwright/span_labels.hpp"
#include "rule_marginals.hpp"

namespace plainwright {

// A word that would read as something else in a line of a grammar.
inline bool is_unwritable(std::string_view word) {
    if (word == "|||") return true;
    return word.front() == '[' && word.back() == ']' && word.find(',') != std::string_view::npos;
}

class RuleFormatter {
 public:
    RuleFormatter(const std::vector<std::string_view>& words, const Lexicon& lexicon, const LabelCounts& labels,
                  const LabelNames& names)
        : words_(words), lexicon_(lexicon), labels_(labels), names_(names) {}

    // `record` comes from `count_by_target`.
    std::string operator()(std::string_view record) const {
        Marginals n;
        std::memcpy(&n, record.data() + record.size() - sizeof n, sizeof n);
        const RuleParts parts(record.substr(0, record.size() - sizeof n));
        const std::vector<Symbol> source = symbols(parts.source), target = symbols(parts.target);
        const Label label = label_of(parts.label);
        const auto side = [&](const std::vector<Symbol>& side_symbols) {
            std::string text;
            for (const Symbol symbol : side_symbols) text += (text.empty() ? "" : " ") + symbol_text(symbol);
            return text;
        };
        const auto minus_log = [](std::uint32_t part, double whole) { return std::log(whole / part); };
        const auto label_total = static_cast<double>(labels_.at(label));
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
        std::string text = '[' + names_.text(label) + "] ||| " + side(source) + " ||| " + side(target) + " |||";
        for (const auto& [name, value] : features) text += std::string(" ") + name + '=' + format(value);
        text += " |||";
        for (std::size_t at = 0; at < parts.alignment.size(); at += 2) {
            text += ' ' + std::to_string(int{parts.alignment[at]}) + '-' + std::to_string(int{parts.alignment[at + 1]});
        }
        return text;
    }

 private:
    std::string symbol_text(Symbol symbol) const {
        if (symbol < kNonterminal) return std::string(words_[symbol - 1]);
        const Label label = (symbol & ~kNonterminal) >> 1;
        return '[' + names_.text(label) + ',' + std::to_string((symbol & 1) + 1) + ']';
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
                return of_target ? lexicon_.target_given_source(other, made[i])
                                 : lexicon_.source_given_target(made[i], other);
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

    static std::string format(double value) {
        char text[64];
        std::snprintf(text, sizeof text, "%.5f", value);
        std::string shown = text;
        shown.erase(shown.find_last_not_of('0') + 1);
        if (shown.back() == '.') shown.pop_back();
        return shown == "-0" ? "0" : shown;
    }

    const std::vector<std::string_view>& words_;  // by number less one
    const Lexicon& lexicon_;
    const LabelCounts& labels_;
    const LabelNames& names_;
};

}  // namespace plainwright
