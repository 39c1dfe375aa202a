#include "plainwright/grammar_text.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "plainwright/unicode.hpp"

namespace plainwright {

namespace {

constexpr std::string_view kSeparator = " ||| ";
constexpr double kLargest = 3.4e38;  // just inside the range of a float, so that its shortest spelling is, too

// Whether the eight bytes from `text` are all printable ASCII; a wrong no is possible, a wrong yes is not.
bool is_plain(const char* text) {
    std::uint64_t word;
    std::memcpy(&word, text, sizeof word);
    return ((word | (word - 0x2020202020202020ULL)) & 0x8080808080808080ULL) == 0;
}

bool is_text(std::string_view line) {
    for (std::size_t at = 0; at < line.size();) {
        if (at + 8 <= line.size() && is_plain(line.data() + at)) {
            at += 8;
            continue;
        }
        if (line[at] == '\0' || line[at] == '\r' || line[at] == '\n') return false;
        const std::size_t length = sequence_length(line, at);
        if (length == 0) return false;
        at += length;
    }
    return true;
}

// Splits at ` ||| ` into at most six fields; 0 if there are more.
std::size_t split_fields(std::string_view line, std::string_view (&fields)[6]) {
    for (std::size_t n = 0; n < 6; ++n) {
        const std::size_t at = line.find(kSeparator);
        if (at != line.npos) {
            fields[n] = line.substr(0, at);
            line.remove_prefix(at + kSeparator.size());
        } else if (line.ends_with(" |||")) {  // an empty last field whose space was trimmed
            if (n == 5) return 0;
            fields[n] = line.substr(0, line.size() - 4);
            fields[n + 1] = {};
            return n + 2;
        } else {
            fields[n] = line;
            return n + 1;
        }
    }
    return 0;
}

// Calls `item(text)` for each piece between single spaces until it returns what is wrong.
template <typename Item>
const char* for_each_piece(std::string_view field, Item&& item) {
    while (!field.empty()) {
        const std::size_t at = field.find(' ');
        const std::string_view piece = field.substr(0, at);
        if (piece.empty() || at + 1 == field.size()) return "a space too many";
        if (const char* problem = item(piece)) return problem;
        field.remove_prefix(at == field.npos ? field.size() : at + 1);
    }
    return nullptr;
}

const char* parse_item(std::string_view text, RuleText::Item& item) {
    if (text == "|||") return "an empty field needs two spaces between its bars";
    item = {text, 0};
    if (text.front() != '[' || text.back() != ']') return nullptr;
    const std::size_t comma = text.rfind(',');
    if (comma == text.npos) return nullptr;
    const std::string_view index = text.substr(comma + 1, text.size() - comma - 2);
    if (comma < 2) return "a nonterminal without a label";
    if (index != "1" && index != "2") return "the index of a nonterminal is 1 or 2";
    item = {text.substr(1, comma - 1), index[0] - '0'};
    return nullptr;
}

const char* parse_side(std::string_view field, std::vector<RuleText::Item>& side) {
    side.clear();
    bool seen[3] = {};
    return for_each_piece(field, [&](std::string_view text) -> const char* {
        RuleText::Item item;
        if (const char* problem = parse_item(text, item)) return problem;
        if (item.index > 0 && std::exchange(seen[item.index], true)) return "a nonterminal index occurs twice";
        if (side.size() == kMaxRuleSide) return "a side has more than 300 words";
        side.push_back(item);
        return nullptr;
    });
}

// Both sides must have the same nonterminals; the target's indices become places among the source's.
const char* match_sides(RuleText& rule) {
    const RuleText::Item* by_index[3] = {};
    int place[3] = {}, found = 0;
    for (const auto& item : rule.source) {
        if (item.index == 0) continue;
        by_index[item.index] = &item;
        place[item.index] = ++found;
    }
    for (auto& item : rule.target) {
        if (item.index == 0) continue;
        const RuleText::Item* source = by_index[item.index];
        if (source == nullptr) return "the target has a nonterminal that the source lacks";
        if (source->text != item.text) return "a nonterminal has different labels on the two sides";
        item.index = place[item.index];
        --found;
    }
    return found == 0 ? nullptr : "the source has a nonterminal that the target lacks";
}

bool parse_number(std::string_view text, float& value) {
    const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
    if (digits.empty() || !(digits.front() == '.' || (digits.front() >= '0' && digits.front() <= '9'))) return false;
    double parsed = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
    if (end != text.data() + text.size()) return false;
    if (error == std::errc::result_out_of_range) parsed = std::strtod(std::string(text).c_str(), nullptr);
    if (error == std::errc::invalid_argument || std::abs(parsed) > kLargest) return false;
    value = static_cast<float>(parsed) + 0.0F;  // the sum turns -0 into 0
    return std::isfinite(value);
}

const char* parse_features(std::string_view field, std::vector<RuleText::Feature>& features) {
    features.clear();
    return for_each_piece(field, [&](std::string_view text) -> const char* {
        const std::size_t equals = text.rfind('=');
        if (equals == text.npos) return "a feature without =";
        if (equals == 0) return "a feature without a name";
        RuleText::Feature feature{text.substr(0, equals), 0, true};
        const std::string_view value = text.substr(equals + 1);
        feature.available = value != "NA";
        if (feature.available && !parse_number(value, feature.value)) return "a feature's value is not a number";
        features.push_back(feature);
        return nullptr;
    });
}

bool parse_position(std::string_view text, std::size_t size) {
    if (text.empty() || (text.size() > 1 && text.front() == '0')) return false;
    std::uint32_t position = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), position);
    return error == std::errc{} && end == text.data() + text.size() && position < size;
}

const char* check_alignment(const RuleText& rule) {
    return for_each_piece(rule.alignment, [&](std::string_view text) -> const char* {
        const std::size_t dash = text.find('-');
        const bool good = dash != text.npos && parse_position(text.substr(0, dash), rule.source.size()) &&
                          parse_position(text.substr(dash + 1), rule.target.size());
        return good ? nullptr : "an alignment point is not a pair of positions of the two sides";
    });
}

}  // namespace

const char* parse_rule(std::string_view line, RuleText& rule) {
    if (line.size() > kMaxRuleLine) return "the line is too long";
    if (!is_text(line)) return "the line is not UTF-8 text";
    std::string_view fields[6];
    const std::size_t n = split_fields(line, fields);
    if (n != 5 && n != 6) return "5 or 6 fields expected, separated by ' ||| '";
    const std::string_view lhs = fields[0];
    if (lhs.size() < 3 || lhs.front() != '[' || lhs.back() != ']' || lhs.find(' ') != lhs.npos) {
        return "the left-hand side is not [LABEL]";
    }
    rule.lhs = lhs.substr(1, lhs.size() - 2);
    if (const char* problem = parse_side(fields[1], rule.source)) return problem;
    if (rule.source.empty()) return "the source is empty";
    if (const char* problem = parse_side(fields[2], rule.target)) return problem;
    if (const char* problem = match_sides(rule)) return problem;
    if (const char* problem = parse_features(fields[3], rule.features)) return problem;
    rule.alignment = fields[4];
    if (const char* problem = check_alignment(rule)) return problem;
    rule.entailment = n == 6 ? fields[5] : std::string_view{};
    if (n == 6 && (rule.entailment.empty() || rule.entailment.find(' ') != rule.entailment.npos)) {
        return "the entailment is not one word";
    }
    return nullptr;
}

}  // namespace plainwright
