"""Sentences of many kinds, written for this purpose: on them an export sees how large each value of an encoder gets."""

from __future__ import annotations

__all__ = ["SENTENCES"]

SENTENCES = (
    "The committee postponed its decision because several members, including the chairwoman, had not read the report.",
    "In 1847 the town had about 2,300 inhabitants; by 1901, after the railway came, there were more than 19,000.",
    "Doctors now recommend that adults walk at least thirty minutes a day and sleep no fewer than seven hours.",
    "She laughed.",
    "Although the volcano has been quiet for centuries, geologists keep measuring the gases that leave its crater.",
    'He said, "We never expected to win", and left the stage without taking questions from the reporters.',
    "The enzyme catalyses the hydrolysis of starch into maltose (a disaccharide) and is found in human saliva.",
    "Which of the two bridges is older, and who paid for them?",
    "a small river in the north of the county , it flows into the lake near the old mill .",
    "The film received mixed reviews: critics praised the music, but many found the plot too slow and the ending weak.",
    "Under the new law, employers who fail to pay overtime may be fined up to $50,000 for each offence.",
    "The bird builds its nest on the ground, lays three to five spotted eggs, and feeds mainly on insects and seeds.",
    "Born in Lisbon to a family of weavers, Almeida studied mathematics before turning to painting at forty.",
    "Light travels faster than sound. That is why we see lightning before we hear thunder.",
    "The team lost 3-1 at home on Saturday, their fourth defeat in a row, and dropped to the bottom of the table.",
    "Photosynthesis is the process by which green plants use sunlight to make food from carbon dioxide and water.",
    "Critics of the treaty argued that it surrendered sovereignty; its supporters replied that trade would double.",
    "Mix the flour with a pinch of salt, add two eggs, and stir until the dough no longer sticks to the bowl.",
    "The castle, which was largely destroyed by fire in 1692, has been a museum since the 1930s.",
    "Jupiter's largest moon, Ganymede, is bigger than the planet Mercury, though it has less than half its mass.",
    "IT IS FORBIDDEN TO ENTER THE BUILDING WITHOUT A HELMET!",
    "The software converts scanned pages to text, checks the spelling and stores the result in a searchable archive.",
    "Many people speak two languages there: one at home and with friends, another at school and in court.",
    "The king died without an heir, and his cousins fought over the throne for eleven years until a truce was signed.",
    "Her second novel tells the story of a lighthouse keeper's daughter who teaches herself to navigate by the stars.",
    "Inflation fell to 2.4 % in May, mostly owing to cheaper fuel, while rents and the price of bread kept rising.",
    "Between 60% and 70% of patients recover completely within a year; the rest report fatigue or headaches.",
    "The old man sat by the window and watched the snow fall on the empty street.",
    "Contrary to popular belief, bats are not blind, nor do they become entangled in people's hair.",
    "The album was recorded in nine days and has sold over four million copies worldwide since its release.",
    "Sharks have no bones; their skeletons are made of cartilage, the same material as the human ear.",
    "Negotiations resumed on Monday after the union agreed to suspend the strike until the end of the month.",
)
