#include "plainwright/rule_book.hpp"

#include <algorithm>

namespace plainwright {

namespace {

constexpr std::size_t kMostOptions = 400'000;  // about 50 MB
constexpr std::size_t kMostTokens = 2'000'000;
constexpr std::size_t kTargetBlock = 1U << 16;

// The same on every platform, unlike std::hash.
std::uint64_t fnv(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const unsigned char c : text) hash = (hash ^ c) * 0x100000001b3ULL;
    return hash;
}

template <typename Value>
Value& grown(std::vector<Value>& values, std::size_t index, Value filler) {
    if (index >= values.size()) values.resize(std::max(index + 1, values.size() * 2), filler);
    return values[index];
}

constexpr Symbol kNotAsked = INT32_MAX;

bool better(const RuleOption& a, const RuleOption& b) {
    return a.order_key != b.order_key ? a.order_key > b.order_key : a.number < b.number;
}

}  // namespace

std::uint32_t Interner::intern(std::string_view text) {
    const auto found = numbers_.find(text);
    if (found != numbers_.end()) return found->second;
    const auto entry = numbers_.emplace(text, static_cast<std::uint32_t>(texts_.size())).first;
    texts_.push_back(&entry->first);
    return entry->second;
}

void Interner::clear() {
    numbers_.clear();
    texts_.clear();
}

void RuleBook::link_grammars() {
    links_.clear();
    links_.resize(grammars());
    built_in_.clear();
    const std::int32_t both[] = {-1, -2};
    built_in_.push_back({});  // identity and unknown words have one list for each word
    built_in_.push_back({});
    built_in_.push_back(built_in(kGlueFirst, {both, 1}, 0));
    built_in_.push_back(built_in(kGlueNext, both, features_.weight(kGlue)));
    built_in_.push_back(built_in(kGoalRule, {both, 1}, 0));
    built_in_.push_back(built_in(kEmptyGoalRule, {}, 0));
}

void RuleBook::trim() {
    if (options_ < kMostOptions && tokens_.size() < kMostTokens) return;
    tokens_.clear();
    labels_.clear();
    token_hashes_.clear();
    lm_words_.clear();
    identities_.clear();
    target_blocks_.clear();
    block_used_ = block_size_ = options_ = 0;
    link_grammars();
}

TokenId RuleBook::token(std::string_view text) {
    const TokenId token = tokens_.intern(text);
    if (token == token_hashes_.size()) {
        token_hashes_.push_back(fnv(text));
        lm_words_.push_back(scorer_.model() == nullptr ? 0 : scorer_.model()->word(text));
    }
    return token;
}

TokenId RuleBook::token_of(std::size_t grammar, Symbol terminal) {
    TokenId& known = grown(links_[grammar].tokens, static_cast<std::size_t>(terminal), kNone);
    if (known == kNone) known = token(this->grammar(grammar).text(terminal));
    return known;
}

LabelId RuleBook::label_of(std::size_t grammar, Symbol symbol) {
    LabelId& known = grown(links_[grammar].labels, static_cast<std::size_t>(-1 - symbol), kNone);
    if (known == kNone) known = label(this->grammar(grammar).text(symbol));
    return known;
}

Symbol RuleBook::symbol(std::size_t grammar, LabelId label) {
    Symbol& known = grown(links_[grammar].symbols, label, kNotAsked);
    if (known == kNotAsked) known = this->grammar(grammar).label(labels_.text(label));
    return known;
}

std::span<const std::int32_t> RuleBook::keep_target(std::span<const std::int32_t> target) {
    if (block_used_ + target.size() > block_size_ || target_blocks_.empty()) {
        block_size_ = std::max(kTargetBlock, target.size());
        target_blocks_.push_back(std::make_unique<std::int32_t[]>(block_size_));
        block_used_ = 0;
    }
    std::int32_t* kept = target_blocks_.back().get() + block_used_;
    std::copy(target.begin(), target.end(), kept);
    block_used_ += target.size();
    return {kept, target.size()};
}

const std::vector<RuleList>& RuleBook::rules(std::size_t grammar, TrieNode node) {
    const auto [entry, fresh] = links_[grammar].rules.try_emplace(node);
    std::vector<RuleList>& lists = entry->second;
    if (!fresh) return lists;
    const auto [first, last] = this->grammar(grammar).rules(node);
    for (std::uint32_t number = first; number < last; ++number) {
        const RuleView rule = this->grammar(grammar).rule(number);
        const LabelId label = label_of(grammar, rule.lhs);
        auto list = std::find_if(lists.begin(), lists.end(), [&](const RuleList& l) { return l.label == label; });
        if (list == lists.end()) {
            RuleList started;
            started.label = label;
            started.grammar = static_cast<std::uint8_t>(grammar);
            list = lists.insert(lists.end(), std::move(started));
        }
        list->options.push_back(option(grammar, rule));
    }
    for (RuleList& list : lists) std::sort(list.options.begin(), list.options.end(), better);
    options_ += last - first;
    return lists;
}

RuleOption RuleBook::option(std::size_t grammar, const RuleView& rule) {
    target_.clear();
    for (const std::int32_t symbol : rule.target) {
        target_.push_back(symbol < 0 ? symbol : static_cast<std::int32_t>(token_of(grammar, symbol)));
    }
    values_.resize(std::max<std::size_t>(1, features_.grammars()[grammar].grammar->feature_count()));
    this->grammar(grammar).features(rule.number, values_.data());
    RuleOption option{rule.number, keep_target(target_), features_.rule_score(grammar, values_.data()), 0, true, {}};
    add_language_model(option);
    return option;
}

void RuleBook::add_language_model(RuleOption& option) const {
    double guess = 0;
    if (scorer_.model() != nullptr) {
        PhraseReader reader = scorer_.reader();
        for (const std::int32_t symbol : option.target) {
            if (symbol >= 0) {
                const WordId word = lm_words_[static_cast<TokenId>(symbol)];
                if (word == 0) option.score += features_.weight(kLmUnknown);
                reader.word(word);
            } else {
                guess += reader.log10();
                reader = scorer_.reader();
            }
        }
        guess = (guess + reader.log10()) * features_.weight(kLm);
        option.boundary = reader.boundary();
    }
    const auto words = std::count_if(option.target.begin(), option.target.end(), [](auto s) { return s >= 0; });
    option.lexical = static_cast<std::size_t>(words) == option.target.size();
    option.score += features_.weight(kWordPenalty) * static_cast<double>(words);
    option.order_key = option.score + guess;
    if (option.lexical) option.score = option.order_key;
}

RuleList RuleBook::built_in(std::uint32_t rule, std::span<const std::int32_t> target, double score) {
    RuleList list;
    RuleOption option{rule, keep_target(target), score, 0, true, {}};
    add_language_model(option);
    list.options.push_back(option);
    return list;
}

const RuleList& RuleBook::identity(TokenId token, bool unknown, LabelId label) {
    const auto [entry, fresh] = identities_.try_emplace(std::uint64_t{token} * 2 + unknown);
    if (fresh) {
        const auto target = static_cast<std::int32_t>(token);
        const double score = features_.weight(kIdentity) + (unknown ? features_.weight(kOovPenalty) : 0);
        entry->second = built_in(unknown ? kUnknownWordRule : kIdentityRule, {&target, 1}, score);
        entry->second.label = label;
    }
    return entry->second;
}

double RuleBook::lm_score(std::span<const TokenId> tokens) const {
    if (scorer_.model() == nullptr) return 0;
    PhraseReader reader = scorer_.sentence_reader();
    for (const TokenId token : tokens) reader.word(lm_words_[token]);
    reader.word(scorer_.model()->end_sentence());
    return reader.log10();
}

}  // namespace plainwright
