"""The story of a battle in German: several wordings for each thing that it says.

A wording has three parts, "first | verb | rest", so that the verb stays in the second place after
words such as "In Runde 3". Slots and tags are explained in ``documents.prose.battle_english``; {n}
and {en} are the endings of a verb for several (``whom``), {nn} that for several (``who``).
"""

from collections.abc import Mapping, Sequence

from documents.prose.beats import MORE_WHOM, Beat, Name, Phrase, people_of, tags_of
from documents.prose.german import join_names, with_numbers
from documents.prose.variation import Parts, filled_in, minus, name, punctuated, without_articles
from rulebook.book.weapons import NOUNS

THE = {
    "m": ("der", "den", "dem", "einem"),
    "f": ("die", "die", "der", "einer"),
    "n": ("das", "das", "dem", "einem"),
}
"""The articles by gender: nominative, accusative, dative, and "ein" in the dative."""
TERMS_IN_GERMAN = {"cavalry": "Kavallerie"}
ENDINGS = {"nom": "er", "acc": "en", "dat": "em"}
PERSONS = ("{who}", "{whom}")
AMMUNITION = {"ball": "Vollkugeln", "canister": "Kartätschen", "shell": "Granaten"}
STRENGTHS = {
    "fighters": ("Kämpfer", "Kämpfern"),
    "figures": ("Figur", "Figuren"),
    "half-bases": ("Base", "Bases"),
}

PHRASES: Mapping[Phrase, Sequence[str]] = {
    Phrase.FIRST_BLOOD: (
        "das erste Blut | vergoss | {who}: {whom} wurde verwundet{dice}",
        "(blow) {who} | schlug | die erste Wunde, gegen {whom}{dice}",
        "es | traf | zuerst {whom}, durch {who}{dice}",
        "der erste Treffer | gelang | {who}, gegen {whom}{dice}",
        "(blow) {whom} | trug | die erste Wunde des Tages davon, geschlagen von {who}{dice}",
        "mit einer Wunde für {whom} | eröffnete | {who} das Blutvergießen{dice}",
    ),
    Phrase.FIRST_BLOOD_SHOT: (
        "der erste Treffer | gelang | {who}{with}: {whom} wurde{at} verwundet{dice}",
        "{who} | schoss | als Erster genau{with} und traf {whom}{at}{dice}",
        "es | traf | zuerst {whom}{at}, durch {weapon_acc} von {who}{dice}",
        "{whom} | bekam |{at} den ersten Schuss ab, von {who}{with}{dice}",
        "{weapon} von {who} | forderte |{at} das erste Blut, das von {whom}{dice}",
        "das erste Blut des Tages | floss | bei {whom}, getroffen{at} von {who}{dice}",
    ),
    Phrase.FIRST_LOSSES: (
        "die ersten Verluste | trug | {whom} davon, {cost}{at} im {fire} von {who}",
        "{who} | traf | zuerst, und {whom} hatte{at} {losses}",
        "das {fire} von {who} | brachte | {whom}{at} die ersten Verluste: {cost}",
        "{whom} | erlitt | zuerst Verluste, {cost}{at} im {fire} von {who}",
        "als Erstes | traf | es {whom}{at}, im {fire} von {who}: {losses}",
    ),
    Phrase.KILL: (
        "{who} | tötete | {whom}{with}{dice}",
        "{whom} | fiel | durch {weapon_acc} von {who}{dice}",
        "(blade) {who} | hieb | {whom}{with} nieder{dice}",
        "{whom} | starb | durch die Hand von {who}{dice}",
        "{weapon} von {who} | brachte | {whom} den Tod{dice}",
        "(blow) {who} | erschlug | {whom}{with}{dice}",
        "{whom} | geriet | an {who} und überlebte es nicht{dice}",
        "für {whom} | war | die Schlacht zu Ende, durch {who}{dice}",
        "{who} | traf | {whom}{with} tödlich{dice}",
        "{whom} | ging | unter {weapon_dat} von {who} zu Boden und stand nicht mehr auf{dice}",
        "{who} | streckte | {whom}{with} nieder, tot{dice}",
        "(blow) ein Hieb von {who} | war | das Ende von {whom}{dice}",
        "(blow) {whom} | überlebte | einen Hieb von {who} nicht{dice}",
        "gegen {who} | fand | {whom} den Tod{dice}",
        "{whom} | fand | durch {who} den Tod{dice}",
        "der Kampf gegen {who} | kostete | {whom} das Leben{dice}",
        "{who} | machte | mit {whom} ein Ende{dice}",
        "{whom} | bezahlte | den Kampf gegen {who} mit dem Leben{dice}",
        "{whom} | kam | durch {who} ums Leben{dice}",
        "{whom} | blieb | tot liegen, getroffen von {who}{dice}",
        "{whom} | ließ | gegen {who} das Leben{dice}",
    ),
    Phrase.KILL_SHOT: (
        "(gun) {who} | erschoss | {whom}{at}{with}{dice}",
        "(gun) ein Schuss von {who} | tötete | {whom}{at}{dice}",
        "{whom} | fiel |{at} durch {weapon_acc} von {who}{dice}",
        "{weapon} von {who} | tötete | {whom}{at}{dice}",
        "{who} | traf | {whom}{at}{with} tödlich{dice}",
        "(gun) {whom} | starb |{at} durch einen Schuss von {who}{dice}",
        "(gun) einen Schuss von {who} | überlebte | {whom} nicht{at}{dice}",
        "{who} | holte | {whom}{at}{with} für immer von den Beinen{dice}",
        "gegen {weapon_acc} von {who} | half | {whom}{at} nichts mehr{dice}",
        "(gun) der Schuss von {who} auf {whom} | war |{at} tödlich{dice}",
        "{who} | brachte | {whom}{at}{with} den Tod{dice}",
        "(gun) {who} | schoss |{at}{with}, und {whom} war tot{dice}",
        "{whom} | fiel | durch einen Treffer{at} von {who}{with}{dice}",
        "{whom} | starb | an einem Treffer{at} von {who}{with}{dice}",
    ),
    Phrase.KILL_RIPOSTE: (
        "{who} | parierte | einen Hieb von {whom} und tötete mit der Riposte",
        "{whom} | griff | {who} an und starb an der Riposte",
        "eine Riposte von {who} | tötete | {whom}",
        "{whom} | schlug | nach {who}, und die Riposte war tödlich",
        "an der Riposte von {who} | starb | {whom}",
    ),
    Phrase.KILL_SPELL: (
        "ein Zauber von {who} | tötete | {whom}",
        "{whom} | starb | durch einen Zauber von {who}",
        "{who} | tötete | {whom} durch Magie",
        "die Magie von {who} | war | das Ende von {whom}",
    ),
    Phrase.KILL_FREE: (
        "{whom} | wandte | sich von {who} ab und bezahlte mit dem Leben",
        "{who} | tötete | {whom} beim Versuch, sich zu lösen",
        "beim Lösen aus dem Kampf | fiel | {whom} durch {who}",
        "{whom} | wollte | sich von {who} lösen und kam nicht mehr weg",
    ),
    Phrase.KILL_FRIENDLY: (
        "{who} | tötete | {whom}, aus den eigenen Reihen",
        "{whom} | starb | durch die eigene Seite, durch {who}",
        "vom Freund, von {who}, | wurde | {whom} getötet",
    ),
    Phrase.KILL_MANY: (
        "{who} | tötete | {number} auf einmal: {whom}",
        "{whom} | fielen | {both} durch {who}",
        "{who} | brauchte | nur diese Runde, um {whom} zu töten",
        "durch {who} | fielen | {whom}",
        "{who} | schlug | {times} zu, und {whom} waren tot",
        "gegen {who} | starben | {whom}",
        "{whom} | überlebten | {who} {both} nicht",
        "{number} auf einmal | tötete | {who}: {whom}",
    ),
    Phrase.DEATH: (
        "{whom} | fiel |",
        "{whom} | starb |",
        "{whom} | fand | den Tod",
        "für {whom} | endete | die Schlacht tödlich",
        "der Kampf | kostete | {whom} das Leben",
        "{whom} | ließ | das Leben",
    ),
    Phrase.DOWN: (
        "{who} | setzte | {whom}{with} außer Gefecht{dice}",
        "{whom} | ging | unter {weapon_dat} von {who} zu Boden{dice}",
        "(blow) {who} | schlug | {whom}{with} nieder{dice}",
        "{weapon} von {who} | warf | {whom} zu Boden{dice}",
        "{who} | streckte | {whom}{with} nieder{dice}",
        "(blow) {whom} | wurde | von {who}{with} niedergeschlagen{dice}",
        "gegen {who} | ging | {whom} zu Boden{dice}",
        "{whom} | kam | gegen {who} nicht mehr auf die Beine{dice}",
        "{who} | holte | {whom}{with} von den Beinen{dice}",
        "(blow) ein Hieb von {who} | war | zu viel für {whom}{dice}",
        "{whom} | war | nach einem Treffer von {who} aus dem Kampf{dice}",
        "{whom} | blieb | vor {who} am Boden{dice}",
        "{whom} | fiel | vor {who} zu Boden{dice}",
        "{who} | siegte | über {whom}, und der Kampf ging ohne {whom} weiter{dice}",
    ),
    Phrase.DOWN_SHOT: (
        "(gun) {who} | schoss | {whom}{at}{with} nieder{dice}",
        "(gun) ein Schuss von {who} | setzte | {whom}{at} außer Gefecht{dice}",
        "{whom} | ging |{at} durch {weapon_acc} von {who} zu Boden{dice}",
        "{who} | holte | {whom}{at}{with} von den Beinen{dice}",
        "{weapon} von {who} | setzte | {whom}{at} außer Gefecht{dice}",
        "{whom} | wurde |{at} von {who} getroffen und war aus dem Kampf{dice}",
        "{who} | traf | {whom}{at}{with} schwer{dice}",
        "(gun) nach einem Schuss von {who} | lag | {whom}{at} am Boden{dice}",
        "{whom} | stürzte |, getroffen{at} von {who}{dice}",
        "für {whom} | war |{at} Schluss, durch {weapon_acc} von {who}{dice}",
    ),
    Phrase.DOWN_MANY: (
        "{who} | schlug | {whom} nieder",
        "{whom} | gingen | {both} vor {who} zu Boden",
        "{who} | brauchte | nur diese Runde, um {whom} außer Gefecht zu setzen",
        "{who} | streckte | {number} nieder: {whom}",
        "{who} | schlug | {times} zu, und {whom} lagen am Boden",
    ),
    Phrase.HIT: (
        "{who} | verwundete | {whom}{with}{dice}",
        "{whom} | trug | eine Wunde von {who} davon{dice}",
        "(blow) ein Hieb von {who} | verwundete | {whom}{dice}",
        "{whom} | wurde | von {who}{with} verwundet{dice}",
        "{weapon} von {who} | traf | {whom}{dice}",
        "{who} | traf | {whom}{with}{dice}",
        "gegen {who} | bekam | {whom} eine Wunde ab{dice}",
        "{whom} | holte | sich eine Wunde bei {who}{dice}",
        "{whom} | blutete | nach einem Treffer von {who}{dice}",
        "{who} | kam | durch, und {whom} wurde verwundet{dice}",
        "eine Wunde von {who} | zeichnete | {whom}{dice}",
    ),
    Phrase.HIT_SHOT: (
        "{who} | traf | {whom}{at}{with}{dice}",
        "{whom} | wurde |{at} von {who} getroffen{dice}",
        "(gun) ein Schuss von {who} | verwundete | {whom}{at}{dice}",
        "{weapon} von {who} | verwundete | {whom}{at}{dice}",
        "{whom} | bekam |{at} einen Treffer von {who} ab{dice}",
        "{who} | verwundete | {whom}{at}{with}{dice}",
        "ein Treffer von {who} | verwundete | {whom}{at}{dice}",
        "{who} | traf |{at}, und {whom} wurde verwundet{dice}",
        "{whom} | wurde |{at} von {who} verwundet{dice}",
        "{whom} | blieb |{at} gegen {who} nicht unversehrt{dice}",
    ),
    Phrase.BACK: (
        "{who} | drängte | {whom}{with} zurück",
        "{whom} | wich | vor {who} zurück",
        "{whom} | gab | vor {who} Boden preis",
        "{who} | trieb | {whom} einen Schritt zurück",
        "vor {who} | musste | {whom} zurück",
        "{weapon} von {who} | drängte | {whom} zurück",
    ),
    Phrase.DAZED: (
        "{who} | betäubte | {whom}{at}{with}{dice}",
        "{whom} | wurde |{at} von {who}{with} betäubt{dice}",
        "(blow) ein Hieb von {who} | betäubte | {whom}{dice}",
        "{whom} | taumelte | nach einem Treffer von {who}{dice}",
        "{who} | ließ | {whom}{with} taumeln{dice}",
    ),
    Phrase.FALL: (
        "{whom} | stürzte | zu Tode",
        "ein Sturz | tötete | {whom}",
        "{whom} | überlebte | einen Sturz nicht",
        "{whom} | starb | bei einem Sturz, ohne dass ein Gegner daran schuld war",
    ),
    Phrase.DROWNED: (
        "{whom} | ertrank |",
        "das Wasser | nahm | {whom} das Leben",
        "{whom} | versank | und ertrank",
        "im Wasser | fand | {whom} den Tod",
    ),
    Phrase.POISONED: (
        "Gift | tötete | {whom}",
        "{whom} | starb | an Gift",
        "das Gift | war | zu viel für {whom}",
    ),
    Phrase.MISSING: (
        "{whom} | fiel | aus dem Kampf",
        "ohne {whom} | ging | der Kampf weiter",
        "für {whom} | war | der Kampf vorbei",
        "{whom} | schied | aus",
    ),
    Phrase.UNHORSED: (
        "{whom} | wurde | aus dem Sattel geworfen",
        "{whom} | verlor | das Pferd",
        "{whom} | stürzte | vom Pferd",
    ),
    Phrase.CHARGE: (
        "{who} | griff | {whom} an",
        "{who} | ging | auf {whom} los",
        "{who} | stürmte | gegen {whom}",
        "gegen {whom} | rückte | {who} vor, Mann gegen Mann",
        "{who} | stellte | {whom} im Handgemenge",
        "{whom} | hatte{n} | es nun mit {who} zu tun",
    ),
    Phrase.RIDE: (
        "{who} | ritt | gegen {whom} an",
        "{who} | griff | {whom} zu Pferd an",
        "{who} | gab | dem Pferd die Sporen, gegen {whom}",
        "{who} | ging | zu Pferd auf {whom} los",
        "{whom} | musste{n} | {who} zu Pferd empfangen",
        "{who} | sprengte | auf {whom} los",
    ),
    Phrase.LONE_CHARGE: (
        "{who} | ging | allein auf {number} los: {whom}",
        "{who} | griff | allein an: {whom}",
        "{who} | stürmte | gegen {number} zugleich, ohne Hilfe: {whom}",
        "ohne auf jemanden zu warten, | griff | {who} an: {whom}",
        "{who} | nahm | es allein mit {whom} auf",
    ),
    Phrase.LONE_RIDE: (
        "{who} | ritt | allein in {number} Gegner: {whom}",
        "{who} | griff | allein zu Pferd an: {whom}",
        "{who} | sprengte | ohne Hilfe gegen {number} zugleich: {whom}",
        "ohne Begleitung | ritt | {who} gegen {whom} an",
        "{who} | nahm | es vom Sattel aus allein mit {whom} auf",
    ),
    Phrase.LONE_AT: (
        "(mounted) {who} | ritt | allein gegen {whom} an",
        "{who} | ging | allein auf {whom} los",
        "ohne Hilfe | stürmte | {who} gegen {whom}",
        "{who} | griff | ganz allein an, gegen {whom}",
        "(mounted) {who} | sprengte | allen voran auf {whom} los",
        "allein | stellte | sich {who} gegen {whom}",
    ),
    Phrase.LONE_DEATH: (
        "(mounted) {who} | ritt | allein gegen {whom} an und starb durch {by}",
        "{who} | ging | allein auf {whom} los und fiel durch {by}",
        "der einsame Angriff von {who} auf {whom} | endete | tödlich, durch {by}",
        "{who} | stürmte | ohne Hilfe gegen {whom} und überlebte es nicht, wegen {by}",
        "ohne Hilfe | ging | {who} gegen {whom} vor und fand durch {by} den Tod",
        "{who} | wagte | sich allein an {whom} und kam durch {by} um",
    ),
    Phrase.MOBBED: (
        "{who} | drangen | auf {whom} ein, und {whom} starb durch {by}",
        "{who} | stürzten sich | auf {whom}, und der tödliche Treffer kam von {by}",
        "{who} | gingen | gemeinsam auf {whom} los, bis {whom} durch {by} fiel",
        "auf {whom} | gingen | {who} zugleich los, und {by} traf tödlich",
        "gegen {whom} | wandten sich | {who}; den Tod brachte {by}",
        "{who} | nahmen | sich {whom} zugleich vor, und am Ende stand der Tod durch {by}",
    ),
    Phrase.CLOSING_IN: (
        "{who} | drangen | auf {whom} ein",
        "{who} | stürzten sich | auf {whom}",
        "{who} | gingen | gemeinsam auf {whom} los",
        "auf {whom} | gingen | {who} zugleich los",
        "{who} | nahmen | sich {whom} gemeinsam vor",
        "gegen {whom} | wandten sich | {who}",
    ),
    Phrase.DUEL_KILL: (
        "(untimed) {who} | brauchte | {number} Runden, von {since} bis {turn}, um {whom} zu töten",
        "(untimed) {whom} | hielt | {who} von Runde {since} bis Runde {turn} stand und fiel dann",
        "(untimed) {number} Runden lang | kämpften | {who} und {whom}; in Runde {turn} starb "
        "{whom}",
        "(untimed) von Runde {since} an | schlugen | sich {who} und {whom}, bis {whom} in Runde "
        "{turn} fiel",
        "(untimed) erst nach {number} Runden, in Runde {turn}, | war | der Kampf zwischen {who} "
        "und {whom} entschieden: {whom} starb",
    ),
    Phrase.SEVERAL_KILL: (
        "(untimed) {who} | brauchten | {number} Runden, von {since} bis {turn}, um {whom} zu töten",
        "(untimed) {whom} | hielt | {number} Runden gegen {who} aus und fiel in Runde {turn}",
        "(untimed) von Runde {since} bis Runde {turn} | hatten | {who} mit {whom} zu tun, dann "
        "war es aus",
        "(untimed) von Runde {since} an | setzten | {who} nach, und in Runde {turn} fiel {whom}",
        "(untimed) {number} Runden | wehrte | sich {whom} gegen {who}; Runde {turn} war die letzte",
    ),
    Phrase.DUEL: (
        "(untimed) {who} und {whom} | schlugen | sich von Runde {since} bis Runde {turn}, und "
        "keiner tötete den anderen",
        "(untimed) {number} Runden, von {since} bis {turn}, | entschieden | nichts zwischen {who} "
        "und {whom}",
        "(untimed) zwischen {who} und {whom} | ging | es von Runde {since} bis Runde {turn} hin "
        "und her, ohne Toten",
        "(untimed) {who} | kämpfte | {number} Runden gegen {whom}, bis Runde {turn}, und ohne "
        "Toten",
        "(untimed) von Runde {since} bis Runde {turn} | hielten | {who} und {whom} einander auf, "
        "und beide lebten",
    ),
    Phrase.TEST_HELD: (
        "bei {who} | hielten | die Nerven{roll}",
        "{who} | stand | fest, als die Moral geprüft wurde{roll}",
        "die Moral von {who} | hielt |{roll}",
        "{who} | bestand | die Probe auf die Moral{roll}",
        "die Probe auf die Moral | ging | für {who} gut aus{roll}",
        "an der Moral von {who} | rüttelten | die Verluste vergebens{roll}",
    ),
    Phrase.ONLY_TEST_HELD: (
        "die einzige Probe auf die Moral, die {who} ablegen musste, | ging | gut aus{roll}",
        "die Moral von {who} | wurde | nur dieses eine Mal geprüft und hielt{roll}",
        "ein einziges Mal am ganzen Tag | ging | es um die Moral von {who}, und sie hielt{roll}",
        "{who} | bestand | die einzige Probe auf die Moral{roll}",
        "die Moral von {who} | hielt | bei der einzigen Probe des Tages{roll}",
    ),
    Phrase.TEST_SHAKEN: (
        "bei {who} | wankten | die Reihen{roll}",
        "die Moral von {who} | geriet | ins Wanken{roll}",
        "{who} | wankte | nach einer verpatzten Probe auf die Moral{roll}",
        "eine Probe auf die Moral | ging | für {who} schlecht aus{roll}",
        "bei {who} | schwand | der Mut{roll}",
        "die Nerven von {who} | wurden | dünn{roll}",
    ),
    Phrase.TEST_BROKEN: (
        "die Moral von {who} | brach |{roll}",
        "bei {who} | war | die Moral dahin{roll}",
        "{who} | verlor | die Nerven und wandte sich zur Flucht{roll}",
        "{who} | brach | zusammen{roll}",
        "{who} | konnte | nicht mehr: die Moral brach{roll}",
        "es | gab | bei {who} kein Halten mehr{roll}",
        "{who} | verlor | die Probe auf die Moral, und alles floh{roll}",
    ),
    Phrase.FLED: (
        "{who} | floh | vom Feld",
        "{who} | lief | davon",
        "{who} | verließ | fliehend das Feld",
        "{who} | hatte | genug und floh",
        "die Flucht | ergriff | {who}",
        "von {who} | sah | man nur noch den Rücken",
    ),
    Phrase.FLED_MANY: (
        "{who} | flohen | vom Feld",
        "{who} | liefen | davon",
        "{who} | verließen | fliehend das Feld",
        "{who} | hatten | genug und flohen",
        "die Flucht | ergriffen | {who}",
        "vom Feld | liefen | {who}",
    ),
    Phrase.CAPTURE: (
        "{who} | nahm | {whom} gefangen",
        "{whom} | fiel | {who} in die Hände",
        "{whom} | geriet | in die Gefangenschaft von {who}",
        "{who} | führte | {whom} gefangen fort",
        "lebend | fiel | {whom} in die Hände von {who}",
        "für {whom} | endete | der Tag als Gefangener von {who}",
    ),
    Phrase.COLOURS: (
        "{who} | erbeutete | die Fahne von {whom}",
        "die Fahne von {whom} | fiel | {who} in die Hände",
        "{who} | trug | die Fahne von {whom} davon",
        "{whom} | verlor | die Fahne an {who}",
        "mit der Fahne von {whom} | zog | {who} davon",
    ),
    Phrase.OBJECTIVE: (
        "{who} | nahm | das Ziel",
        "das Ziel | fiel | an {who}",
        "{who} | sicherte | das Ziel",
        "{who} | hatte | das Ziel in der Hand",
        "das Ziel | gehörte | {who}",
    ),
    Phrase.FIGHT: (
        "{who} | schlug | {whom} im Nahkampf",
        "{whom} | verlor | den Nahkampf gegen {who}",
        "{who} | gewann | den Kampf gegen {whom}",
        "{who} | war | Mann gegen Mann stärker als {whom}",
        "{whom} | musste | {who} weichen",
        "gegen {whom} | behielt | {who} die Oberhand",
        "{who} | setzte | sich gegen {whom} durch",
        "{whom} | unterlag | {who}",
        "{who} und {whom} | gerieten | aneinander, und {who} gewann",
    ),
    Phrase.CHARGE_WON: (
        "der Angriff von {who} | warf | {whom}",
        "{who} | ritt | gegen {whom} an und gewann",
        "den Angriff von {who} | konnte | {whom} nicht aufhalten",
        "{who} | sprengte | in {whom} hinein und siegte",
        "{who} | griff | zu Pferd an, und {whom} wich",
        "{whom} | wich | vor den Pferden von {who}",
    ),
    Phrase.HELD_OFF: (
        "{who} | warf | einen Angriff von {whom} zurück",
        "{whom} | griff | {who} an und verlor",
        "{who} | hielt | stand und schlug {whom} ab",
        "der Angriff von {whom} | scheiterte | an {who}",
        "an {who} | kam | {whom} nicht vorbei",
        "{who} | behauptete | sich gegen {whom}",
        "gegen {who} | richtete | {whom} nichts aus",
    ),
    Phrase.LOSSES: (
        "das {fire} von {who} | brachte | {whom}{at} {losses}",
        "{whom} | erlitt |{at} {losses} im {fire} von {who}",
        "{who} | fügte | {whom}{at} {losses} zu",
        "{whom} | litt | unter dem {fire} von {who}: {losses}",
        "das {fire} von {who} | traf | {whom}{at}: {losses}",
        "{whom} | musste |{at} im {fire} von {who} {losses} hinnehmen",
        "unter dem {fire} von {who} | hatte | {whom}{at} {losses}",
    ),
    Phrase.LOSSES_GUNS: (
        "{shot} von {who} | brachten | {whom}{at} {losses}",
        "die Geschütze von {who} | fügten | {whom}{at} {losses} zu",
        "{whom} | erlitt |{at} {losses} durch die Geschütze von {who}",
        "{who} | schoss |{at} mit {shot_dat} auf {whom}: {losses}",
        "die Kanoniere von {who} | trafen | {whom}{at}: {losses}",
        "unter {shot_dat} von {who} | hatte | {whom}{at} {losses}",
    ),
    Phrase.DESTROYED: (
        "{who} | vernichtete | {whom}",
        "{who} | rieb | {whom} auf",
        "von {whom} | blieb | nach {who} nichts übrig",
        "das Ende von {whom} | kam | durch {who}",
        "{whom} | zerbrach | unter dem Angriff von {who}",
        "{who} | zerschlug | {whom} endgültig",
    ),
    Phrase.BROKE_UP: (
        "für {whom} | kam | das Ende",
        "{whom} | nahm | nicht weiter teil",
        "{whom} | zerfiel |",
        "für {whom} | war | die Schlacht vorbei",
        "von {whom} | blieb | nichts übrig",
        "{whom} | schied | aus der Schlacht aus",
    ),
    Phrase.SURRENDERED: (
        "{whom} | ergab | sich {who}",
        "{whom} | streckte | die Waffen vor {who}",
        "{who} | nahm | {whom} gefangen",
        "{who} | zwang | {whom} zur Übergabe",
    ),
    Phrase.SAVED: (
        "{who} | wurde | getroffen und kam davon",
        "ein Treffer auf {who} | blieb | ohne Folgen",
        "{who} | überstand | einen Treffer",
        "das Glück | war | mit {who}: getroffen und gerettet",
        "mit einem Treffer | kam | {who} davon",
    ),
    Phrase.ARRIVAL: (
        "{whom} | erreichte{n} | das Feld, für {who}",
        "{who} | bekam | Verstärkung: {whom}",
        "zur Unterstützung von {who} | kam{en} | {whom}",
        "für {who} | kam | Hilfe: {whom}",
        "{whom} | stieß{en} | zu {who}",
    ),
    Phrase.SWING: (
        "(untimed) keine Runde | verschob | die Kräfte weiter als Runde {turn}: {who} verlor "
        "{number} von {of} {strength}, {whom} {other_number}",
        "(untimed) die Waage | kippte | nie weiter als in Runde {turn}: {number} von {of} "
        "{strength} verlor {who}, {other_number} verlor {whom}",
        "(untimed) in Runde {turn} | neigte | sich die Waage am weitesten, mit {number_dat} von "
        "{of} {strength} weniger für {who} und {other_number_dat} weniger für {whom}",
        "(untimed) nach Zahlen | war | Runde {turn} der Wendepunkt: {who} verlor {number} "
        "von {of} {strength}, {whom} {other_number}",
        "(untimed) am schwersten | wog | Runde {turn}: {number} von {of} {strength} kostete "
        "sie {who}, {other_number} kostete sie {whom}",
    ),
    Phrase.SWING_ALONE: (
        "(untimed) keine Runde | verschob | die Kräfte weiter als Runde {turn}: {who} verlor "
        "{number} von {of} {strength}",
        "(untimed) in Runde {turn} | neigte | sich die Waage am weitesten: {number} von {of} "
        "{strength} verlor {who}",
        "(untimed) nach Zahlen | war | Runde {turn} der Wendepunkt, mit {number_dat} von {of} "
        "{strength} weniger für {who}",
        "(untimed) am schwersten | wog | Runde {turn} für {who}: {number} von {of} {strength}",
    ),
    Phrase.DEADLIEST: (
        "niemand sonst | tötete | so viele wie {who}: {number}",
        "{who} | tötete | {number}, mehr als sonst jemand im Gefecht",
        "auf {who} | gingen | {number} der Toten zurück, mehr als auf sonst jemanden",
        "die meisten Toten des Tages | waren | das Werk von {who}: {number}",
        "mit {number} Toten | führte | {who} die Rechnung des Tages an",
    ),
    Phrase.LAST_FELL: (
        "als Letzter von {side} | fiel | {whom}, durch {who}{dice}",
        "{who} | tötete | {whom}{with}, und {side} hatte niemanden mehr{dice}",
        "mit {whom}, getötet von {who}, | war | von {side} niemand mehr da{dice}",
        "{whom} | war | von {side} noch übrig und fiel durch {who}{dice}",
        "der letzte Tote von {side} | war | {whom}, gefallen durch {who}{dice}",
    ),
    Phrase.LAST_LEFT: (
        "von {of}, die für {whom} antraten, | stand | am Ende nur noch {who}",
        "am Ende | stand | {who} allein für {whom}, als Letzter von {of}",
        "nur {who} | war | von {whom} noch im Feld, von {of}",
        "{who} | blieb | als Einziger von {of} für {whom} im Feld",
    ),
    Phrase.NOBODY_LEFT: (
        "am Ende | stand | auf keiner Seite noch jemand",
        "als es vorbei war, | hielt | niemand das Feld",
        "niemand | blieb | übrig, der das Feld hätte halten können",
        "am Schluss | war | das Feld leer",
    ),
    Phrase.WIPED_OUT: (
        "am Ende | stand | von {who} niemand mehr im Feld",
        "von {of}, die für {who} antraten, | hielt | am Ende niemand das Feld",
        "{who} | war | mit {of} gekommen und hatte am Ende niemanden mehr",
        "als es vorbei war, | hatte | {who} niemanden mehr im Feld",
        "am Schluss | war | von {who} nichts mehr übrig",
    ),
    Phrase.STANDING: (
        "am Ende | hatte | {who} noch {number} von {of} {strength}, {whom} {other_number} von "
        "{other_of}",
        "{who} | kam | mit {number_dat} von {of} {strength} davon, {whom} mit "
        "{other_number_dat} von {other_of}",
        "auf der Seite von {who} | standen | noch {number_nom} von {of} {strength}, bei {whom} "
        "{other_number_nom} von {other_of}",
        "als es vorbei war, | zählte | {who} noch {number} von {of} {strength}, {whom} noch "
        "{other_number} von {other_of}",
        "die Bilanz: {who} | behielt | {number} von {of} {strength}, {whom} {other_number} von "
        "{other_of}",
    ),
    Phrase.STANDING_SCORE: (
        "am Ende | hatte | {who} noch {number} von {of} {strength}, {whom} {other_number} "
        "von {other_of}, und es stand {score}",
        "{who} | kam | mit {number_dat} von {of} {strength} davon, {whom} mit "
        "{other_number_dat} von {other_of}; nach Punkten stand es {score}",
        "als es vorbei war, | zählte | {who} noch {number} von {of} {strength} und {whom} "
        "{other_number} von {other_of}, bei {score} Punkten",
        "auf der Seite von {who} | standen | noch {number_nom} von {of} {strength}, bei {whom} "
        "{other_number_nom} von {other_of}, bei einem Stand von {score}",
        "{who} | ging | mit {number_dat} von {of} {strength} vom Feld, {whom} mit "
        "{other_number_dat} von {other_of}, und der Endstand war {score}",
    ),
    Phrase.WITHDREW: (
        "{who} | zog | sich zurück",
        "{who} | räumte | das Feld",
        "dann | trat | {who} geordnet den Rückzug an",
        "{who} | brach | den Kampf ab",
    ),
    Phrase.CONCEDED: (
        "{who} | gab | die Schlacht verloren",
        "{who} | gab | auf",
        "dann | ergab | sich {who} in die Niederlage",
        "{who} | machte | ein Ende und gab auf",
    ),
    Phrase.LIVED: (
        "{whom} | war{en} | niedergestreckt worden, lebte{n} aber",
        "hinterher | zeigte | sich: {whom} lebte{n}",
        "von den Gefallenen | kehrte{n} | {whom} zurück",
        "nicht alle Gefallenen | waren | tot: {whom} lebte{n}",
    ),
    Phrase.NOBODY_DIED: (
        "bei alledem | starb | niemand",
        "als die Verwundeten gezählt waren, | war | niemand tot",
        "es | floss | Blut, doch niemand starb",
        "wer gefallen war, | kam | mit dem Leben davon",
    ),
}


def slots(beat: Beat, introduced: Sequence[str]) -> dict[str, str]:
    """Return what fills the slots of wordings. Slots that cannot be filled are missing.

    ``introduced`` are the sides that the story has named a fighter of: their fighters need no side.
    """
    several = len(beat.whom) + (beat.more if beat.phrase in MORE_WHOM else 0)
    filled = {
        **people_of(beat, introduced, _named, with_others),
        "at": f" auf {_long(beat)}" if beat.distance else "",
        "dice": f", mit einem Wurf von {_number(beat.dice)}" if beat.dice else "",
        "roll": f", mit einem Wurf von {_number(beat.dice)}" if beat.dice else "",
        **_numbers(beat),
        "since": str(beat.since),
        "turn": str(beat.turn),
        "both": "beide" if beat.number == 2 else "alle",
        "times": f"{_number(beat.number)}mal" if beat.number <= 12 else f"{beat.number}-mal",
        "cost": _cost(beat),
        "losses": _losses(beat),
        "fire": "Schießen" if beat.weapon in ("bow", "") else "Feuer",
        "shot": AMMUNITION.get(beat.weapon, "Schüsse"),
        "shot_dat": AMMUNITION.get(beat.weapon, "Schüssen"),
        "score": _score(beat),
        "strength": STRENGTHS[beat.strength][1],
        "with": "",
        "n": "n" if several > 1 else "",
        "en": "en" if several > 1 else "",
    }
    if weapon := NOUNS["de"].get(beat.weapon):
        noun, gender = weapon.noun, weapon.gender
        nominative, accusative, dative, indefinite = THE[gender]
        bent = weapon.bent or noun
        filled["with"] = f" mit {indefinite} {bent}"
        filled["weapon"] = f"{nominative} {noun}"
        filled["weapon_acc"] = f"{accusative} {noun}"
        filled["weapon_dat"] = f"{dative} {bent}"
    if beat.whom and beat.whom[0].side:
        filled["side"] = name(beat.whom[0].side)
    return filled


def with_others(names: str) -> str:
    """Return a list of names with more to it: "A, B und andere"."""
    return f"{names.replace(' und ', ', ')} und andere"


def tags(beat: Beat) -> frozenset[str]:
    """Return the tags of wordings that fit a beat."""
    return tags_of(beat)


def fits(wording: str, *, timed: bool) -> bool:
    """Return whether a wording can be read easily. After words of time two names would meet."""
    first, _, rest = (part.strip() for part in wording.split("|", 2))
    return not (timed and first.endswith(PERSONS) and rest.startswith(PERSONS))


def in_turn(turn: int, before: int) -> str:
    """Return the words that place a sentence in a turn, after one about the turn ``before``."""
    if turn == before:
        return ""
    if before and turn == before + 1:
        return (f"In Runde {turn}", "Eine Runde später", "In der nächsten Runde")[turn % 3]
    return f"In Runde {turn}"


def clause(wording: str, filled: Mapping[str, str]) -> Parts:
    """Return a wording with its slots filled, in its three parts: first, verb, rest."""
    return tuple(filled_in(part.strip(), filled).strip() for part in wording.split("|", 2))


def sentence(clauses: Sequence[Parts], when: str) -> tuple[str, ...]:
    """Return clauses about the same turn as a sentence: its pieces, one for each clause.

    ``when`` are words that place it in a turn, "" for none. The verb follows them.
    """
    texts = [_plain(parts) for parts in clauses]
    if when:
        first, verb, rest = clauses[0]
        texts[0] = _tidy(f"{when} {verb} {first} {rest}")
    return punctuated(texts)


def turn_title(turn: int, entries: Sequence[int]) -> str:
    """Return where a clause comes from: "Runde 3, Einträge 17 und 18"."""
    many = "Eintrag" if len(entries) == 1 else "Einträge"
    where = f"{many} {join_names([str(each) for each in entries])}"
    return f"Runde {turn}, {where}" if turn else where


def _plain(parts: Parts) -> str:
    return _tidy(" ".join(part for part in parts if part))


def _tidy(text: str) -> str:
    """Return a text without spaces before commas and semicolons, and without English articles."""
    text = " ".join(text.split()).replace(" ,", ",").replace(" ;", ";")
    return without_articles(text)


def _number(count: int, case: str = "acc", *, feminine: bool = False) -> str:
    """Return a number as a word or digits: "keinen", "einen", "zwei", "13".

    ``case`` is "nom", "acc" or "dat".
    """
    if count > 1:
        return with_numbers(count)
    endings = {"nom": "", "acc": "", "dat": "r"} if feminine else ENDINGS
    stem = "eine" if feminine else "ein"
    return f"{'' if count else 'k'}{stem}{endings[case]}"


def _numbers(beat: Beat) -> dict[str, str]:
    """Return the numbers of a beat in all cases: "number", "number_nom", "number_dat"."""
    numbers: dict[str, str] = {}
    feminine = beat.strength != "fighters"
    for slot in ("number", "of", "other_number", "other_of"):
        count = getattr(beat, slot)
        halves, half = divmod(count, 2) if beat.strength == "half-bases" else (count, 0)
        for case, ending in (("acc", ""), ("nom", "_nom"), ("dat", "_dat")):
            word = _number(halves, case, feminine=feminine)
            numbers[f"{slot}{ending}"] = f"{halves or ''}½" if half else word
    return numbers


def _named(names: Sequence[Name], introduced: list[str]) -> str:
    """Return names as a list, each with its side where that side is named for the first time."""
    texts = []
    for each in names:
        text = TERMS_IN_GERMAN.get(each.term, name(each.text))
        if each.side and (each.shared or each.side not in introduced):
            introduced.append(each.side)
            text = f"{text} von {name(each.side)}"
        texts.append(text)
    return join_names(texts)


def _long(beat: Beat) -> str:
    number = f"{beat.distance:g}".replace(".", ",")
    return f"{number}{beat.measure.sign}" if beat.measure else number


def _cost(beat: Beat) -> str:
    if beat.strength == "half-bases":
        return "einen Ausfall" if beat.number == 1 else f"{with_numbers(beat.number)} Ausfälle"
    return "eine Figur" if beat.number == 1 else f"{with_numbers(beat.number)} Figuren"


def _losses(beat: Beat) -> str:
    """Return what a unit suffered: "Verluste von drei Figuren", "drei Ausfälle"."""
    if beat.strength == "half-bases":
        return _cost(beat)
    single = "einer Figur" if beat.number == 1 else f"{with_numbers(beat.number)} Figuren"
    return f"Verluste von {single}"


def _score(beat: Beat) -> str:
    """Return the score of two sides in the order in which they are named: "20 zu 11"."""
    return " zu ".join(minus(points) for points in beat.score)
