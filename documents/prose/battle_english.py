"""The story of a battle in English: several wordings for each thing that it says.

Slots in braces are filled by ``slots``; a wording is used only if all of them can be filled. A
tag in front limits it: "gun" to weapons that shoot, "blade" to those that cut, "blow" to blows, and
"untimed" marks wordings that name their turns themselves.
"""

from collections.abc import Mapping, Sequence

from documents.prose.beats import Beat, Name, Phrase, people_of, tags_of
from documents.prose.english import counted, join_names, number
from documents.prose.variation import Parts, filled_in, minus, punctuated, within

AMMUNITION = {"ball": "round shot", "canister": "canister", "shell": "shell"}
VOWELS = "aeiou"

PHRASES: Mapping[Phrase, Sequence[str]] = {
    Phrase.FIRST_BLOOD: (
        "first blood went to {who}, who wounded {whom}{with}{dice}",
        "{who} drew first blood, wounding {whom}{with}{dice}",
        "the first to bleed was {whom}, wounded by {who}{with}{dice}",
        "{whom} took the first wound of the day, from {who}{dice}",
        "(blow) it was {who} who struck the first telling blow, against {whom}{dice}",
        "the first wound of the battle was dealt by {who} to {whom}{dice}",
    ),
    Phrase.FIRST_BLOOD_SHOT: (
        "first blood went to {who}, whose {weapon} hit {whom}{at}{dice}",
        "{who} drew first blood: {whom} was hit{at}{dice}",
        "(gun) the first shot to tell came from {who}, who hit {whom}{at}{with}{dice}",
        "{whom} was the first to be hit, by {who}{at}{with}{dice}",
        "{who} opened the account{with}, hitting {whom}{at}{dice}",
        "the first to bleed was {whom}, hit{at} by {who}{with}{dice}",
    ),
    Phrase.FIRST_LOSSES: (
        "(figures) {who} opened the killing: {whom} lost {cost}{at}",
        "the first losses came to {whom}, {cost} to the {fire} of {who}{at}",
        "{who} drew first blood from {whom}{at}: {cost}",
        "first blood went to {who}, whose {fire} cost {whom} {cost}{at}",
        "{whom} bled first, under the {fire} of {who}{at}: {cost}",
    ),
    Phrase.KILL: (
        "{who} killed {whom}{with}{dice}",
        "{whom} fell to the {weapon} of {who}{dice}",
        "(blade) {who} cut {whom} down{with}{dice}",
        "{whom} died at the hands of {who}{dice}",
        "the {weapon} of {who} killed {whom}{dice}",
        "(blow) {who} struck {whom} dead{dice}",
        "(blow) {whom} met {who} hand to hand and died{dice}",
        "for {whom} the battle ended at the hands of {who}{dice}",
        "{who} finished {whom}{with}{dice}",
        "{whom} went down under the {weapon} of {who} and did not rise again{dice}",
        "it was {who} who killed {whom}{dice}",
        "(blow) {whom} did not survive a blow from {who}{dice}",
        "(blow) a blow from {who} was the end of {whom}{dice}",
        "(blow) {who} struck home{with}, and {whom} was dead{dice}",
        "{who} had the better of {whom}, who died{dice}",
        "death came to {whom} from {who}{dice}",
        "{who} was the death of {whom}{dice}",
        "{who} left {whom} dead{with}{dice}",
        "{whom} fell, killed by {who}{with}{dice}",
        "{whom} lost the fight against {who}, and died{dice}",
    ),
    Phrase.KILL_SHOT: (
        "(gun) {who} shot {whom} dead{at}{with}{dice}",
        "(gun) a shot from {who}{at} killed {whom}{dice}",
        "{whom} fell to the {weapon} of {who}{at}{dice}",
        "the {weapon} of {who} killed {whom}{at}{dice}",
        "{who} hit {whom}{at}{with}, and that was fatal{dice}",
        "(gun) one shot from {who}, and {whom} was dead{dice}",
        "(gun) {whom} was shot dead by {who}{at}{dice}",
        "{whom} died of a hit{at} from {who}{with}{dice}",
        "{who} brought {whom} down for good{at}{with}{dice}",
        "the {weapon} of {who} found {whom}{at}, and {who} had a kill{dice}",
        "(gun) {whom} did not survive a shot from {who}{at}{dice}",
        "{who} killed {whom}{at}{with}{dice}",
        "{who} hit {whom}{at}, fatally{dice}",
        "{who} was the death of {whom}{at}{with}{dice}",
    ),
    Phrase.KILL_RIPOSTE: (
        "{who} answered a blow from {whom} with a riposte that killed",
        "{whom} attacked {who} and died of the riposte",
        "a riposte from {who} killed {whom}",
        "{whom} struck at {who}, and the riposte was fatal",
        "{who} parried and killed {whom} with the riposte",
    ),
    Phrase.KILL_SPELL: (
        "a spell cast by {who} killed {whom}",
        "{whom} died of a spell from {who}",
        "{who} killed {whom} by magic",
        "the magic of {who} was the end of {whom}",
    ),
    Phrase.KILL_FREE: (
        "{whom} turned away from {who} and was killed for it",
        "{whom} tried to break off, and {who} struck {whom} down for good",
        "{who} killed {whom} as {whom} left the fight",
        "leaving the fight with {who} cost {whom} dear: a free blow killed",
    ),
    Phrase.KILL_FRIENDLY: (
        "{who} killed {whom}, of the same side",
        "{whom} died by the hand of a friend, {who}",
        "friendly fire from {who} killed {whom}",
    ),
    Phrase.KILL_MANY: (
        "{who} killed {number} in one turn: {whom}",
        "{who} accounted for {whom}",
        "{whom} {both} fell to {who}",
        "one turn was enough for {who} to kill {whom}",
        "{who} killed {whom}, {both} in one turn",
        "{who} struck {times}: {whom} died",
        "{whom} {both} died at the hands of {who}",
        "it was {who} again and again: {whom} fell",
    ),
    Phrase.DEATH: (
        "{whom} fell",
        "the battle killed {whom}",
        "{whom} was among the dead",
        "{whom} died",
        "death came to {whom}",
        "{whom} did not live to see the end",
    ),
    Phrase.DOWN: (
        "{who} put {whom} out of the fight{with}{dice}",
        "{whom} went down under the {weapon} of {who}{dice}",
        "(blow) {who} struck {whom} down{with}{dice}",
        "the {weapon} of {who} brought {whom} down{dice}",
        "{who} felled {whom}{with}{dice}",
        "{who} laid {whom} low{with}{dice}",
        "(blow) {whom} was struck down by {who}{dice}",
        "{who} sent {whom} to the ground{with}{dice}",
        "(blow) {whom} took a blow from {who} and stayed down{dice}",
        "(blow) a blow from {who} was too much for {whom}{dice}",
        "{who} knocked {whom} out of the fight{with}{dice}",
        "{who} left {whom} lying{with}{dice}",
        "{whom} fell before {who}, out of the fight{dice}",
        "{who} was too much for {whom}, who went down{dice}",
    ),
    Phrase.DOWN_SHOT: (
        "(gun) {who} shot {whom} out of the fight{at}{with}{dice}",
        "(gun) a shot from {who}{at} put {whom} out of action{dice}",
        "{whom} went down to the {weapon} of {who}{at}{dice}",
        "{who} brought {whom} down{at}{with}{dice}",
        "the {weapon} of {who} put {whom} out of the fight{at}{dice}",
        "{whom} was hit{at} by {who} and took no further part{dice}",
        "{who} dropped {whom}{at}{with}{dice}",
        "(gun) {who} fired{with}{at}, and {whom} went down{dice}",
        "the {weapon} of {who} found {whom}{at}{dice}",
        "{whom} dropped, hit{at} by {who}{dice}",
    ),
    Phrase.DOWN_MANY: (
        "{who} struck down {whom}, {both} in one turn",
        "{whom} {both} went down before {who}",
        "one turn was enough for {who} to put {whom} out of the fight",
        "{who} felled {number}: {whom}",
        "{who} struck {times}, and {whom} went down",
    ),
    Phrase.HIT: (
        "{who} wounded {whom}{with}{dice}",
        "{whom} took a wound from {who}{dice}",
        "(blow) a blow from {who} left {whom} wounded{dice}",
        "{whom} was wounded by {who}{with}{dice}",
        "the {weapon} of {who} wounded {whom}{dice}",
        "{who} drew blood from {whom}{with}{dice}",
        "{whom} bled from the {weapon} of {who}{dice}",
        "(blow) {who} got through to {whom}, who was wounded{dice}",
        "{whom} came away from {who} with a wound{dice}",
        "{who} left {whom} bleeding{with}{dice}",
        "{whom} paid {who} in blood{dice}",
    ),
    Phrase.HIT_SHOT: (
        "{who} hit {whom}{at}{with}{dice}",
        "{whom} took a hit{at} from {who}{dice}",
        "(gun) a shot from {who}{at} wounded {whom}{dice}",
        "the {weapon} of {who} wounded {whom}{at}{dice}",
        "{whom} was hit{at} by {who}{with}{dice}",
        "{who} wounded {whom}{at}{with}{dice}",
        "{who} found the mark{at}: {whom} was wounded{dice}",
        "a hit by {who}{at} wounded {whom}{dice}",
        "{whom} bled after a hit{at} from {who}{dice}",
    ),
    Phrase.BACK: (
        "{who} drove {whom} back{with}",
        "{whom} recoiled from {who}",
        "{whom} gave ground before {who}",
        "{who} forced {whom} back a step",
        "{whom} had to step back from {who}",
        "the {weapon} of {who} drove {whom} back",
    ),
    Phrase.DAZED: (
        "{who} dazed {whom}{at}{with}{dice}",
        "{whom} was dazed{at} by {who}{with}{dice}",
        "(blow) a blow from {who} left {whom} groggy{dice}",
        "{who} left {whom} reeling{with}{dice}",
        "{whom} was left dazed by {who}{dice}",
    ),
    Phrase.FALL: (
        "{whom} fell to death",
        "a fall killed {whom}",
        "{whom} did not survive a fall",
        "{whom} died of a fall, with no enemy to blame",
    ),
    Phrase.DROWNED: (
        "{whom} drowned",
        "the water took {whom}",
        "{whom} went under and drowned",
        "it was water that killed {whom}",
    ),
    Phrase.POISONED: (
        "poison killed {whom}",
        "{whom} died of poison",
        "the poison was too much for {whom}",
    ),
    Phrase.MISSING: (
        "{whom} was lost from the fight",
        "{whom} dropped out of the fight",
        "the fight went on without {whom}",
        "{whom} was out of it",
    ),
    Phrase.UNHORSED: (
        "{whom} was unhorsed",
        "{whom} lost the saddle",
        "a fall from the saddle put {whom} on foot",
    ),
    Phrase.CHARGE: (
        "{who} charged {whom}",
        "{who} went straight for {whom}",
        "{who} closed with {whom}",
        "{who} ran in on {whom}",
        "{who} came to grips with {whom}",
        "{whom} had {who} to deal with, hand to hand",
    ),
    Phrase.RIDE: (
        "{who} rode at {whom}",
        "{who} charged {whom} on horseback",
        "{who} rode in on {whom}",
        "{who} spurred into {whom}",
        "{whom} had to face {who}, charging",
        "{who} put spurs to the charge, at {whom}",
    ),
    Phrase.LONE_CHARGE: (
        "{who} went in alone against {number}: {whom}",
        "alone, {who} charged {whom}",
        "{who} charged {number} at once with no friend in the fight: {whom}",
        "without waiting for anybody, {who} ran in on {whom}",
        "{who} took on {whom} single-handed",
    ),
    Phrase.LONE_RIDE: (
        "{who} rode alone into {number}: {whom}",
        "alone, {who} charged {whom} on horseback",
        "{who} rode at {number} at once with no friend in the fight: {whom}",
        "with nobody alongside, {who} spurred into {whom}",
        "{who} charged {whom} single-handed, from the saddle",
    ),
    Phrase.LONE_AT: (
        "(mounted) {who} rode alone at {whom}",
        "{who} went for {whom} alone",
        "with no friend in the fight, {who} charged {whom}",
        "{who} charged {whom} with nobody alongside",
        "(mounted) {who} spurred ahead of everybody else, at {whom}",
        "alone of the whole side, {who} charged {whom}",
    ),
    Phrase.LONE_DEATH: (
        "(mounted) {who} rode alone at {whom} and was killed by {by}",
        "{who} charged {whom} with nobody alongside, and {by} killed {who}",
        "alone, {who} went for {whom} and died at the hands of {by}",
        "the lone charge of {who} at {whom} ended in death, dealt by {by}",
        "{who} went in alone against {whom} and did not come back: {by} saw to that",
        "for a charge all alone at {whom} {who} paid with death, from {by}",
    ),
    Phrase.MOBBED: (
        "{who} closed in on {whom}, and {by} killed {whom}",
        "{whom} had {who} to deal with at once and died at the hands of {by}",
        "{who} all went for {whom}, who fell to {by}",
        "{who} set upon {whom}, and it was {by} who killed",
        "{who} crowded in on {whom}, until {by} made the kill",
        "{who} made for {whom} together, and {by} was the one who killed",
    ),
    Phrase.CLOSING_IN: (
        "{who} closed in on {whom}",
        "{who} all went for {whom}",
        "{whom} had {who} to deal with at once",
        "{who} set upon {whom}",
        "{who} crowded in on {whom}",
        "{who} went straight for {whom}",
    ),
    Phrase.DUEL_KILL: (
        "(untimed) it took {who} {number} turns, from {since} to {turn}, to kill {whom}",
        "(untimed) {whom} stood up to {who} from turn {since} to turn {turn}, and then fell",
        "(untimed) {who} and {whom} fought for {number} turns, and in turn {turn} {whom} died "
        "of it",
        "(untimed) {who} needed all the turns from {since} to {turn} to beat {whom}, who died",
        "(untimed) from turn {since} on {who} and {whom} traded blows; turn {turn} ended it, with "
        "{whom} dead",
    ),
    Phrase.SEVERAL_KILL: (
        "(untimed) it took {who} {number} turns, from {since} to {turn}, to bring down {whom}",
        "(untimed) {whom} held out for {number} turns against {who}, and fell in turn {turn}",
        "(untimed) from turn {since} to turn {turn} {who} were busy with {whom}, who died at last",
        "(untimed) {who} went at {whom} from turn {since} on, and in turn {turn} {whom} fell",
        "(untimed) {whom} fought {who} for {number} turns, and turn {turn} was the last",
    ),
    Phrase.DUEL: (
        "(untimed) {who} and {whom} traded blows from turn {since} to turn {turn}, and neither "
        "killed the other",
        "(untimed) {number} turns of blows, {since} to {turn}, changed nothing between {who} and "
        "{whom}",
        "(untimed) between {who} and {whom} it went on from turn {since} to turn {turn} without a "
        "kill",
        "(untimed) {who} fought {whom} for {number} turns, up to turn {turn}, and killed nobody",
        "(untimed) from turn {since} to turn {turn} {who} and {whom} kept each other busy, and "
        "both lived",
    ),
    Phrase.TEST_HELD: (
        "the nerve of {who} held{roll}",
        "{who} was put to the test and stood firm{roll}",
        "{who} was tested and passed{roll}",
        "the line of {who} held{roll}",
        "the losses did not break {who}: the test of nerve was passed{roll}",
        "{who} passed a test of nerve{roll}",
    ),
    Phrase.ONLY_TEST_HELD: (
        "the only test of nerve that {who} had to take all day went well{roll}",
        "{who} faced a single test of nerve in the whole battle, and passed{roll}",
        "{who} took one test of nerve, and passed it{roll}",
        "it was the one test of nerve that {who} took all day, and {who} stood firm{roll}",
        "the nerve of {who} was tested once in the battle, and it held{roll}",
    ),
    Phrase.TEST_SHAKEN: (
        "{who} failed a test of nerve and wavered{roll}",
        "the nerve of {who} began to go{roll}",
        "nerves began to fail {who}{roll}",
        "{who} wavered after a failed test of nerve{roll}",
        "a test of nerve went against {who}{roll}",
        "the ranks of {who} began to waver{roll}",
    ),
    Phrase.TEST_BROKEN: (
        "the nerve of {who} broke{roll}",
        "{who} failed the test of nerve and broke{roll}",
        "{who} broke{roll}",
        "a failed test of nerve broke {who}{roll}",
        "the line gave way, and {who} routed{roll}",
        "{who} could take no more and routed{roll}",
        "the heart went out of {who}{roll}",
    ),
    Phrase.FLED: (
        "{who} fled from the field",
        "{who} ran",
        "{who} left the field in flight",
        "{who} had had enough and fled",
        "the rout carried off {who}",
        "{who} was last seen running",
    ),
    Phrase.FLED_MANY: (
        "{who} fled from the field",
        "{who} ran",
        "{who} left the field in flight",
        "{who} had had enough and fled",
        "the rout carried off {who}",
        "{who} were last seen running",
    ),
    Phrase.CAPTURE: (
        "{who} took {whom} prisoner",
        "{whom} fell into the hands of {who}",
        "{who} made a prisoner of {whom}",
        "{whom} ended the day as the prisoner of {who}",
        "{who} led {whom} away a captive",
        "{whom} was taken alive by {who}",
    ),
    Phrase.COLOURS: (
        "{who} took the colours of {whom}",
        "the colours of {whom} fell to {who}",
        "{who} carried off the colours of {whom}",
        "{whom} lost the colours to {who}",
        "{who} had the colours of {whom} for a trophy",
    ),
    Phrase.OBJECTIVE: (
        "{who} took hold of the objective",
        "the objective fell to {who}",
        "{who} secured the objective",
        "{who} had the objective in hand",
        "the objective was with {who}",
    ),
    Phrase.FIGHT: (
        "{who} beat {whom} hand to hand",
        "{whom} lost the fight against {who}",
        "{who} won the fight against {whom}",
        "hand to hand {who} had the better of {whom}",
        "{whom} had to give way to {who}",
        "{who} came out on top against {whom}",
        "{who} got the better of {whom}",
        "{whom} came off worse against {who}",
        "{who} and {whom} came to blows, and {who} won",
    ),
    Phrase.CHARGE_WON: (
        "the charge of {who} beat {whom}",
        "{who} charged home and beat {whom}",
        "{whom} could not stop the charge of {who}",
        "{who} rode into {whom} and won",
        "{who} charged {whom} and had the better of it",
        "{whom} gave way before the horses of {who}",
    ),
    Phrase.HELD_OFF: (
        "{who} threw back an attack by {whom}",
        "{whom} attacked {who} and lost",
        "{who} stood and beat {whom} off",
        "the attack of {whom} failed against {who}",
        "{whom} came on against {who} and was beaten",
        "{who} held against {whom}",
        "{whom} could make nothing of {who}",
    ),
    Phrase.LOSSES: (
        "the {fire} of {who} cost {whom} {cost}{at}",
        "(figures) {whom} lost {cost} to the {fire} of {who}{at}",
        "(figures) {who} took {cost} off {whom}{at}",
        "{whom} suffered under the {fire} of {who}: {cost}",
        "{cost} was what the {fire} of {who} cost {whom}{at}",
        "{who} made {whom} pay with {cost}{at}",
        "the {fire} of {who} told on {whom}: {cost}{at}",
    ),
    Phrase.LOSSES_GUNS: (
        "{shot} from {who} cost {whom} {cost}{at}",
        "the guns of {who} cost {whom} {cost}{at}",
        "(figures) {whom} lost {cost} to the guns of {who}{at}",
        "{who} put {shot} into {whom}{at}: {cost}",
        "(figures) {shot} from {who} tore {cost} out of {whom}{at}",
        "the gunners of {who} hit {whom}: {cost}{at}",
    ),
    Phrase.DESTROYED: (
        "{who} destroyed {whom}",
        "{who} wiped out {whom}",
        "nothing was left of {whom} after {who}",
        "the end of {whom} came at the hands of {who}",
        "{whom} fell apart under the attack of {who}",
        "{who} broke {whom} for good",
    ),
    Phrase.BROKE_UP: (
        "the end came for {whom}",
        "{whom} took no further part",
        "{whom} fell apart",
        "the battle was over for {whom}",
        "nothing more was left of {whom}",
        "{whom} dropped out of the line for good",
    ),
    Phrase.SURRENDERED: (
        "{whom} surrendered to {who}",
        "{whom} laid down arms before {who}",
        "{who} took {whom} prisoner",
        "{who} forced {whom} to surrender",
    ),
    Phrase.SAVED: (
        "{who} was struck and came through it",
        "a hit on {who} did no lasting harm",
        "{who} was hit and lived",
        "luck was with {who}, who was struck and saved",
        "{who} got away with a hit",
    ),
    Phrase.ARRIVAL: (
        "{whom} reached the field for {who}",
        "{who} received reinforcements: {whom}",
        "{whom} came up in support of {who}",
        "help came for {who}: {whom}",
        "{whom} marched on to join {who}",
    ),
    Phrase.SWING: (
        "(untimed) no turn swung the battle further than turn {turn}: {who} lost {number} of "
        "{of} {strength}, {whom} {other_number}",
        "(untimed) the balance never shifted more than in turn {turn}, with {number} of {of} "
        "{strength} gone from {who} and {other_number} from {whom}",
        "(untimed) it was turn {turn} that told most: {number} of {of} {strength} lost to "
        "{who}, {other_number} to {whom}",
        "(untimed) the scales tipped furthest in turn {turn}, {number} of {of} {strength} "
        "gone from {who} against {other_number} from {whom}",
        "(untimed) by numbers turn {turn} was the turning point: {who} lost {number} of {of} "
        "{strength}, {whom} {other_number}",
    ),
    Phrase.SWING_ALONE: (
        "(untimed) no turn swung the battle further than turn {turn}: {who} lost {number} of "
        "{of} {strength}",
        "(untimed) the balance never shifted more than in turn {turn}, with {number} of {of} "
        "{strength} gone from {who}",
        "(untimed) the scales tipped furthest in turn {turn}: {number} of {of} {strength} "
        "were lost to {who}",
        "(untimed) by numbers turn {turn} was the turning point, and cost {who} {number} of "
        "{of} {strength}",
    ),
    Phrase.DEADLIEST: (
        "nobody killed more than {who}: {number} of the dead",
        "{who} was the deadliest of the day, with {number} killed",
        "{number} of the dead were the work of {who}, more than of anybody else",
        "with {number} kills {who} had more than anybody on the field",
        "the deadliest hand of the day was that of {who}, with {number} dead",
    ),
    Phrase.LAST_FELL: (
        "the last of {side} to fall was {whom}, killed by {who}{with}{dice}",
        "{who} killed {whom}, and {side} had nobody left{dice}",
        "{whom}, the last of {side}, fell to {who}{with}{dice}",
        "with {whom}, killed by {who}{with}, the last of {side} was gone{dice}",
        "{whom} was the last of {side}, until {who} struck{dice}",
    ),
    Phrase.LAST_LEFT: (
        "of the {of} of {whom} only {who} was left at the end",
        "at the end {who} stood alone for {whom}, the last of {of}",
        "{who} was the last of the {of} of {whom} on the field",
        "only {who} was still standing for {whom}, of {of} who came",
    ),
    Phrase.NOBODY_LEFT: (
        "at the end nobody of any side was left",
        "when it was over the field belonged to the dead and the fled",
        "nobody was left to claim the field",
        "the battle ended with nobody on the field",
    ),
    Phrase.WIPED_OUT: (
        "at the end nobody of {who} was left on the field",
        "of the {of} of {who} not one kept the field",
        "{who} had come with {of}, and had nobody left",
        "when it was over, {who} had nobody on the field",
        "none of the {of} of {who} were left standing",
    ),
    Phrase.STANDING: (
        "when it was over {who} still had {number} of {of} {strength}, {whom} {other_number} of "
        "{other_of}",
        "{who} finished with {number} of {of} {strength}, {whom} with {other_number} of {other_of}",
        "at the end {who} could count {number} of {of} {strength}, and {whom} {other_number} of "
        "{other_of}",
        "that left {who} with {number} of {of} {strength} and {whom} with {other_number} of "
        "{other_of}",
        "left at the end: {number} of the {of} {strength} of {who}, and {other_number} of the "
        "{other_of} of {whom}",
    ),
    Phrase.STANDING_SCORE: (
        "when it was over {who} still had {number} of {of} {strength}, {whom} {other_number} "
        "of {other_of}, and the score was {score}",
        "{who} finished with {number} of {of} {strength} and {whom} with {other_number} of "
        "{other_of}, for a score of {score}",
        "at the end {who} could count {number} of {of} {strength} and {whom} {other_number} "
        "of {other_of}, with the score at {score}",
        "that left {who} with {number} of {of} {strength} and {whom} with {other_number} of "
        "{other_of}; it was {score} on points",
        "{who} came out of it with {number} of {of} {strength}, {whom} with {other_number} "
        "of {other_of}, and {score} in points",
    ),
    Phrase.WITHDREW: (
        "{who} withdrew",
        "{who} gave up the field and withdrew",
        "then {who} withdrew in good order",
        "{who} broke off the fight",
    ),
    Phrase.CONCEDED: (
        "{who} gave up the battle",
        "{who} conceded",
        "then {who} conceded the day",
        "{who} called it a day",
    ),
    Phrase.LIVED: (
        "{whom} had been struck down, but lived",
        "afterwards {whom} turned out to be alive",
        "{whom} came back from among the fallen",
        "not all who fell were dead: {whom} lived",
    ),
    Phrase.NOBODY_DIED: (
        "even so, nobody died",
        "when the wounded were counted, nobody had died",
        "blood was shed, but nobody died of it",
        "everybody who fell lived",
    ),
}


def slots(beat: Beat, introduced: Sequence[str]) -> dict[str, str]:
    """Return what fills the slots of wordings. Slots that cannot be filled are missing.

    ``introduced`` are the sides that the story has named a fighter of: their fighters need no side.
    """
    filled = {
        **people_of(beat, introduced, _named, with_others),
        "with": f" with {_article(beat.weapon)} {beat.weapon}" if beat.weapon else "",
        "at": f" at {_long(beat)}" if beat.distance else "",
        "dice": f", on a roll of {number(beat.dice)}" if beat.dice else "",
        "roll": f", with a roll of {number(beat.dice)}" if beat.dice else "",
        "number": number(beat.number),
        "of": number(beat.of),
        "other_number": number(beat.other_number),
        "other_of": number(beat.other_of),
        "since": str(beat.since),
        "turn": str(beat.turn),
        "both": "both" if beat.number == 2 else f"all {number(beat.number)}",
        "times": {2: "twice"}.get(beat.number, f"{number(beat.number)} times"),
        "cost": _cost(beat),
        "fire": "shooting" if beat.weapon in ("bow", "") else "fire",
        "shot": AMMUNITION.get(beat.weapon, "shot"),
        "score": _score(beat),
        "strength": _strength(beat),
    }
    if beat.strength == "half-bases":
        bases = {key: getattr(beat, key) for key in ("number", "of", "other_number", "other_of")}
        filled |= {key: _bases(value) for key, value in bases.items()}
    if beat.weapon:
        filled["weapon"] = beat.weapon
    if beat.whom and beat.whom[0].side:
        filled["side"] = within(beat.whom[0].side)
    return filled


def with_others(names: str) -> str:
    """Return a list of names with more to it: "A, B and others"."""
    return f"{names.replace(' and ', ', ')} and others"


def tags(beat: Beat) -> frozenset[str]:
    """Return the tags of wordings that fit a beat."""
    return tags_of(beat)


def fits(wording: str, *, timed: bool) -> bool:
    """Return whether a wording can be read easily: all can, with words of time and without."""
    return True


def in_turn(turn: int, before: int) -> str:
    """Return the words that place a sentence in a turn, after one about the turn ``before``."""
    if turn == before:
        return ""
    if before and turn == before + 1:
        return ("In turn {}", "A turn later", "In the next turn")[turn % 3].format(turn)
    return f"In turn {turn}"


def clause(wording: str, filled: Mapping[str, str]) -> Parts:
    """Return a wording with its slots filled."""
    return (filled_in(wording, filled),)


def sentence(clauses: Sequence[Parts], when: str) -> tuple[str, ...]:
    """Return clauses about the same turn as a sentence: its pieces, one for each clause.

    ``when`` are words that place it in a turn, "" for none.
    """
    texts = [parts[0] for parts in clauses]
    texts[0] = f"{when}, {texts[0]}" if when else texts[0]
    return punctuated(texts)


def turn_title(turn: int, entries: Sequence[int]) -> str:
    """Return where a clause comes from: "Turn 3, entries 17 and 18"."""
    many = "entry" if len(entries) == 1 else "entries"
    where = f"{many} {join_names([str(each) for each in entries])}"
    return f"Turn {turn}, {where}" if turn else where[:1].upper() + where[1:]


def _named(names: Sequence[Name], introduced: list[str]) -> str:
    """Return names as a list, each with its side where that side is named for the first time."""
    texts = []
    for each in names:
        text = within(each.text)
        if each.term:
            text = "the cavalry" if each.term == "cavalry" else f"the {text.removeprefix('the ')}"
        if each.side and (each.shared or each.side not in introduced):
            introduced.append(each.side)
            text = f"{text} of {within(each.side)}"
        texts.append(text)
    return join_names(texts)


def _article(noun: str) -> str:
    return "an" if noun[:1] in VOWELS else "a"


def _long(beat: Beat) -> str:
    if beat.measure is None:
        return f"{beat.distance:g}"
    if beat.distance == int(beat.distance):
        return counted(int(beat.distance), beat.measure.one, beat.measure.many)
    return f"{beat.distance:g} {beat.measure.many}"


def _cost(beat: Beat) -> str:
    noun = "casualty" if beat.strength == "half-bases" else "figure"
    return counted(beat.number, noun, "casualties" if noun == "casualty" else "")


def _strength(beat: Beat) -> str:
    return {"half-bases": "bases"}.get(beat.strength, beat.strength)


def _bases(halves: int) -> str:
    """Return half-bases as bases: "3½"."""
    whole, half = divmod(halves, 2)
    if half:
        return f"{whole or ''}½"
    return number(whole)


def _score(beat: Beat) -> str:
    """Return the score of two sides in the order in which they are named: "20 to 11"."""
    return " to ".join(minus(points) for points in beat.score)
