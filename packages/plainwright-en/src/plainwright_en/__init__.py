"""The models of plainwright for English, each in a folder with its card; `plainwright.models.find` finds them."""
