#include "plainwright/rule_book.hpp"

#include <algorithm>

namespace plainwright {

namespace {

constexpr std::size_t kMostOptions = 400'000;  // about 50 MB
constexpr std::size_t kMostTokens = 2'000'000;
constexpr std::size_t kMostTrieBytes = 40'000'000;
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

// The place of `symbol` in a rising list, or its size.
std::size_t place_of(Symbol symbol, std::span<const Symbol> symbols) {
    // Halves without a branch: most searches fail, at places that cannot be foreseen.
    const Symbol* first = symbols.data();
    for (std::size_t left = symbols.size(); left > 1;) {
        const std::size_t half = left / 2;
        first = first[half - 1] < symbol ? first + half : first;
        left -= half;
    }
    const bool found = !symbols.empty() && *first == symbol;
    return found ? static_cast<std::size_t>(first - symbols.data()) : symbols.size();
}

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
    links_ = std::vector<Links>(grammars());
    built_in_.clear();
    const std::int32_t both[] = {-1, -2};
    built_in_.push_back({});  // identity and unknown words have one list for each word
    built_in_.push_back({});
    built_in_.push_back(built_in(kGlueFirst, {both, 1}, 0));
    built_in_.push_back(built_in(kGlueNext, both, features_.weight(kGlue)));
    built_in_.push_back(built_in(kGoalRule, {both, 1}, 0));
    built_in_.push_back(built_in(kEmptyGoalRule, {}, 0));
    built_in_.push_back(built_in(kKeepNext, both, 0));
}

void RuleBook::trim() {
    const bool small = options_ < kMostOptions && tokens_.size() < kMostTokens && trie_bytes_ < kMostTrieBytes;
    if (small) return;
    tokens_.clear();
    labels_.clear();
    token_hashes_.clear();
    lm_words_.clear();
    identities_.clear();
    target_blocks_.clear();
    block_used_ = block_size_ = options_ = trie_bytes_ = 0;
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

bool RuleBook::fills_gaps(LabelId label) {
    for (std::size_t g = 0; g < grammars(); ++g) {
        const Symbol known = symbol(g, label);
        if (known == kNoSymbol) continue;
        if (links_[g].gaps.empty()) links_[g].gaps = grammar(g).gap_labels();
        if (links_[g].gaps[static_cast<std::size_t>(-1 - known)]) return true;
    }
    return false;
}

Symbol RuleBook::symbol(std::size_t grammar, LabelId label) { return label_start(grammar, label).symbol; }
Symbol RuleBook::word_symbol(std::size_t grammar, TokenId token) { return word_start(grammar, token).symbol; }

SourceNode* RuleBook::first_label(std::size_t grammar, LabelId label) { return label_start(grammar, label).node; }
SourceNode* RuleBook::first_word(std::size_t grammar, TokenId token) { return word_start(grammar, token).node; }

const RuleBook::Start& RuleBook::label_start(std::size_t grammar, LabelId label) {
    Start& start = grown(links_[grammar].label_start, label, {});
    if (!start.asked) fill(grammar, start, this->grammar(grammar).label(labels_.text(label)));
    return links_[grammar].label_start[label];
}

const RuleBook::Start& RuleBook::word_start(std::size_t grammar, TokenId token) {
    Start& start = grown(links_[grammar].word_start, token, {});
    if (!start.asked) fill(grammar, start, this->grammar(grammar).terminal(tokens_.text(token)));
    return links_[grammar].word_start[token];
}

void RuleBook::fill(std::size_t grammar, Start& start, Symbol symbol) {
    start.asked = true;
    start.symbol = symbol;
    const TrieNode node = symbol == kNoSymbol ? kNoNode : this->grammar(grammar).child(0, symbol);
    if (node != kNoNode) start.node = add_source_node(grammar, node);
}

SourceNode* RuleBook::next_word(std::size_t grammar, SourceNode& node, Symbol word) {
    const std::size_t place = place_of(word, node.next.words);
    return place == node.next.words.size() ? nullptr : child_at(grammar, node, node.next.labels.size() + place);
}

SourceNode* RuleBook::next_label(std::size_t grammar, SourceNode& node, Symbol label) {
    const std::size_t place = place_of(label, node.next.labels);
    return place == node.next.labels.size() ? nullptr : child_at(grammar, node, place);
}

SourceNode* RuleBook::reach(std::size_t grammar, SourceNode& parent, std::size_t index) {
    if (parent.children == nullptr) {
        const std::size_t size = parent.next.labels.size() + parent.next.words.size();
        parent.children = std::make_unique<SourceNode*[]>(size);
        trie_bytes_ += size * sizeof(SourceNode*);
    }
    parent.children[index] = add_source_node(grammar, parent.next.first + static_cast<TrieNode>(index));
    return parent.children[index];
}

SourceNode* RuleBook::add_source_node(std::size_t grammar, TrieNode number) {
    SourceNode node;
    node.number = number;
    node.next = this->grammar(grammar).children(number);
    for (const Symbol symbol : node.next.labels) {
        if (symbol >= 0) throw GrammarError("damaged: the trie");
        node.label_bits |= label_bit(label_of(grammar, symbol));
    }
    const auto [first, last] = this->grammar(grammar).rules(number);
    node.has_rules = first != last;
    trie_bytes_ += sizeof(SourceNode);
    return &links_[grammar].nodes.emplace_back(std::move(node));
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

void RuleBook::read_rules(std::size_t grammar, SourceNode& node) {
    std::vector<RuleList> lists;
    const auto [first, last] = this->grammar(grammar).rules(node.number);
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
    for (RuleList& list : lists) {
        std::sort(list.options.begin(), list.options.end(), better);
        list.best_key = list.options.front().order_key;
    }
    options_ += last - first;
    node.rules = std::move(lists);
    node.rules_read = true;
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
    option.score = comparable(option.score);
    option.order_key = comparable(option.score + guess);
    if (option.lexical) option.score = option.order_key;
}

RuleList RuleBook::built_in(std::uint32_t rule, std::span<const std::int32_t> target, double score) {
    RuleList list;
    RuleOption option{rule, keep_target(target), score, 0, true, {}};
    add_language_model(option);
    list.options.push_back(option);
    list.best_key = option.order_key;
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
