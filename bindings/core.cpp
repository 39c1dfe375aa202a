// The Python module `plainwright._core`. One register function per area, each in its own file of this folder.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void register_grammar(nb::module_& m);
void register_learn(nb::module_& m);
void register_lm(nb::module_& m);
void register_decoder(nb::module_& m);
void register_metrics(nb::module_& m);
void register_tagger(nb::module_& m);
void register_text(nb::module_& m);
void register_tune(nb::module_& m);

NB_MODULE(_core, m) {
    m.doc() = "Native core of plainwright: tokenisers, n-gram statistics, grammars, language models.";
    register_grammar(m);
    register_learn(m);
    register_lm(m);
    register_metrics(m);
    register_tagger(m);
    register_text(m);
    register_tune(m);
    register_decoder(m);  // after grammar: it derives from its class
}
