// The language model as Python holds it, for other bindings that take one.
#pragma once

#include <memory>

#include "plainwright/language_model.hpp"

namespace plainwright_python {

struct SharedLanguageModel {
    std::shared_ptr<const plainwright::LanguageModel> model;
};

}  // namespace plainwright_python
