#!/bin/sh
# The models behind `plainwright reproduce lens2023-table6` and `lens2023-figure4`, into the folder that is named.
#
#   recipes/lens2023.sh DIR REFERENCES [KIND…]
#
# REFERENCES has the sources of SimpEval_past with their ten references of ASSET's test set, with tabs between them.
# KIND is minilm-frozen, minilm-tuned, mpnet-frozen or mpnet-tuned; without any, all of them. A model that is there is
# left alone, and a training that was stopped goes on, so the same command again does what is missing.
set -eu
models=$1 references=$2
shift 2
[ $# -gt 0 ] || set -- minilm-frozen mpnet-frozen minilm-tuned mpnet-tuned
mkdir -p "$models/work"
# On a processor: batches are the outputs of one source, which share its references, products are in bfloat16, and rates
# are higher than the paper's because the epochs are fewer.
cheaper="--batches source --batch 24 --precision bfloat16 --standardise --frozen-epochs 4 --epochs 7 --patience 0
    --encoder-rate 0.0001 --rate 0.001"

train() { # NAME WORK OPTION…
    name=$1 work=$models/work/$2
    shift 2
    [ ! -e "$models/$name" ] || return 0
    resume=
    case $work in *-fold?) [ ! -e "$work/job.json" ] || resume=--resume ;; esac
    plainwright lens train simpeval/past --references "$references" --save "$models/$name" --work "$work" $resume \
        --no-companion --no-linear --no-features --fewer-references none --seeds 1 "$@"
}

for kind; do
    encoder=${kind%-*}
    for fold in 0 1 2 3 4; do
        for k in all 3; do
            name=$kind-k$k-fold$fold
            case $kind in
            *-frozen) train "$name" "$kind" --encoder "$encoder" --k $k --fold $fold ;;
            minilm-tuned) train "$name" "$name" --encoder minilm --k $k --fold $fold --tune all $cheaper ;;
            mpnet-tuned) train "$name" "$name" --encoder mpnet --k $k --fold $fold --tune all $cheaper ;;
            *) echo "lens2023.sh: expected minilm or mpnet, frozen or tuned, found $kind" >&2 && exit 2 ;;
            esac
        done
    done
done
