#!/usr/bin/env python3
"""Makes the four font files of Groupscope from Inter 4.1. See NOTE.md."""
import sys

from fontTools import subset
from fontTools.ttLib import TTFont

source, face, web = sys.argv[1:4]

# What labels may need: Latin with the accents of Western and Central Europe,
# punctuation, arrows and the signs of our sentences.
CHARACTERS = (
    [chr(c) for c in range(0x20, 0x7F)]
    + [chr(c) for c in range(0xA0, 0x180)]
    + list("ȘșȚț‐‑–—‘’“”„†•…‰‹›€™←↑→↓↔−≈≠≤≥×÷✓✗")
)

for weight in ("Regular", "Medium"):
    font = TTFont(f"{source}/Inter-{weight}.woff2")
    # Figures are tabular always: timers, counts and offsets must not jump.
    for table in font["cmap"].tables:
        for code in [*range(0x30, 0x3A)]:
            name = table.cmap.get(code)
            if name and name + ".tf" in font.getGlyphSet():
                table.cmap[code] = name + ".tf"
    options = subset.Options()
    options.layout_features = ["kern"]
    options.hinting = False
    options.notdef_outline = True
    options.glyph_names = False
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.drop_tables += ["GDEF", "GSUB", "gasp"]
    cut = subset.Subsetter(options)
    cut.populate(unicodes=[ord(c) for c in CHARACTERS])
    cut.subset(font)
    # Only the first lookup, the pairs of letters, without its mark filter, so
    # that the Go reader of fonts and the browsers kern alike.
    kern = font["GPOS"].table
    kern.LookupList.Lookup = kern.LookupList.Lookup[:1]
    kern.LookupList.Lookup[0].LookupFlag = 0
    for feature in kern.FeatureList.FeatureRecord:
        feature.Feature.LookupListIndex = [0]
    for record in font["name"].names:
        if record.nameID in (1, 3, 4, 6):
            text = f"Groupscope Inter {weight}" if record.nameID != 1 else "Groupscope Inter"
            record.string = text.replace(" ", "") if record.nameID == 6 else text
    font.flavor = None
    font.save(f"{face}/inter-{weight.lower()}.ttf")
    font.flavor = "woff2"
    font.save(f"{web}/inter-{weight.lower()}.woff2")
