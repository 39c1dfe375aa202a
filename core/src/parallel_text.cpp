#include "plainwright/parallel_text.hpp"

#include <stdexcept>

#include "plainwright/language_model.hpp"

namespace plainwright {

namespace {

void split(std::string_view line, std::vector<std::string_view>& words) {
    words.clear();
    for_each_token(line, [&](std::string_view token) { words.push_back(token); });
}

}  // namespace

TokenId Vocabulary::add(std::string_view word) {
    if (const auto found = ids_.find(word); found != ids_.end()) return found->second;
    const auto id = static_cast<TokenId>(words_.size());
    words_.emplace_back(word);
    ids_.emplace(word, id);
    return id;
}

ParallelText::ParallelText(std::size_t max_tokens) : max_tokens_(max_tokens) {
    if (max_tokens < 1 || max_tokens > kLongest) throw std::invalid_argument("max_tokens must be from 1 to 1000");
}

PairKind ParallelText::add(std::string_view source, std::string_view target) {
    split(source, source_words_);
    split(target, target_words_);
    PairKind kind = PairKind::kept;
    if (source_words_.empty() || target_words_.empty()) {
        kind = PairKind::empty;
    } else if (source_words_.size() > max_tokens_ || target_words_.size() > max_tokens_) {
        kind = PairKind::too_long;
    } else {
        for (const std::string_view word : source_words_) source_.tokens.push_back(source_.vocabulary.add(word));
        for (const std::string_view word : target_words_) target_.tokens.push_back(target_.vocabulary.add(word));
    }
    source_.starts.push_back(source_.tokens.size());
    target_.starts.push_back(target_.tokens.size());
    return kind;
}

}  // namespace plainwright
