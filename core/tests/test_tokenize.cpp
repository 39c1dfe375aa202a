#include "check.hpp"
#include "plainwright/tokenize.hpp"

int main() { CHECK(plainwright::tokenizer_from_name("13a") == plainwright::Tokenizer::v13a); }
