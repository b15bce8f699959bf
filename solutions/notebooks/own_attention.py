# %%
# Your own attention, from attention.py or attention.ipynb in this folder or in the lesson's own folder beside it.
import contextlib
import io
import json
from pathlib import Path


def attention_from(notebook):
    """The attention that the cells of a notebook define; None if none does. Tests and figures are not run."""
    names = {}
    for cell in json.loads(notebook.read_text(encoding="utf-8-sig")).get("cells", []):
        is_ours = cell.get("metadata", {}).get("nbgrader", {}).get("locked")
        if cell.get("cell_type") == "code" and not is_ours:
            with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()):
                exec("".join(cell.get("source", "")), names)  # a cell that fails costs only what it defines
    return names.get("attention")


def attention_without_a_home(*args, **kwargs):
    """Stands for your attention as long as there is none."""
    raise NotImplementedError("put your attention.py or attention.ipynb beside this notebook, then restart it")


try:
    from attention import attention
except ModuleNotFoundError:
    places = [Path("attention.ipynb"), Path("../attention/attention.ipynb")]
    found = (attention_from(place) for place in places if place.is_file())
    attention = next((own for own in found if own), attention_without_a_home)
    if attention is attention_without_a_home:
        print("Your attention is not here: put your attention.py or attention.ipynb beside this notebook.")
