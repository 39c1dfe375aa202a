"""Words that say who or what somebody is, and words that reach over more than their own clause; written by hand."""

# Strings of words read better than long lists of strings.
# ruff: noqa: SIM905

from __future__ import annotations

__all__ = [
    "CONDITIONS",
    "EVENT_VERBS",
    "EVENT_WORDS",
    "FEMALE",
    "GROUPS",
    "MALE",
    "MONTHS",
    "MOTIONS",
    "NOT_ONE_OWNER",
    "PARTIAL",
    "PASSIVES",
    "PLACES",
    "PLACE_PREPOSITIONS",
    "QUANTITIES",
    "RANKS",
    "SPREADING_ADVERBS",
    "TIME_NOUNS",
    "TITLES",
    "is_language",
    "is_person_noun",
    "is_thing",
    "may_be_person",
]

MALE = frozenset(
    "mr sir lord king prince emperor duke pope james john robert michael william david richard joseph thomas "
    "charles christopher daniel matthew anthony mark donald steven paul andrew joshua kenneth kevin brian george "
    "timothy ronald edward jason jeffrey ryan jacob gary nicholas eric jonathan stephen larry justin scott "
    "brandon benjamin samuel gregory alexander frank patrick raymond jack dennis jerry tyler aaron jose henry "
    "adam douglas nathan peter zachary kyle walter harold ethan jeremy arthur roger keith lawrence albert bruce "
    "philip eugene vincent louis ralph roy alan juan carl howard fred ernest martin hugh oliver simon ian graham "
    "colin stuart neil geoffrey frederick edmund hans karl otto pierre jean-paul giovanni antonio carlos luis "
    "pedro miguel ivan vladimir boris mohammed muhammad ahmed ali omar hassan ibrahim tom bob bill jim joe mike "
    "steve tony dave ben dan matt".split()
)
FEMALE = frozenset(
    "mrs ms miss lady queen princess empress duchess madame mary patricia jennifer linda elizabeth barbara susan "
    "jessica sarah karen lisa nancy betty margaret sandra ashley emily donna michelle carol amanda melissa "
    "deborah stephanie rebecca sharon laura cynthia kathleen amy angela shirley anna brenda pamela emma nicole "
    "helen samantha katherine christine debra rachel carolyn janet catherine maria heather diane ruth julie "
    "olivia joyce kelly lauren christina joan evelyn judith megan andrea cheryl hannah jacqueline martha gloria "
    "teresa ann sara kathryn janice alice judy sophia rose denise marilyn amber danielle brittany diana abigail "
    "jane lori ana fatima aisha ingrid claire fiona alison lucy sophie eleanor edith agnes elena isabel".split()
)
# They stay before a surname; a rank is part of the name.
TITLES = frozenset(
    "mr mrs ms miss dr doctor professor prof judge justice president senator governor minister mayor captain colonel "
    "major general sergeant councillor inspector superintendent bishop archbishop cardinal rabbi".split()
)
RANKS = frozenset(
    "sir dame lord lady king queen prince princess emperor empress duke duchess pope saint madame".split()
)
MONTHS = frozenset("january february march april may june july august september october november december".split())
_DAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
TIME_NOUNS = (
    MONTHS
    | _DAYS
    | frozenset(
        "year years month months week weeks day days hour hours minute minutes second seconds time times today "
        "yesterday tomorrow morning afternoon evening night noon midnight century centuries decade decades season "
        "spring summer autumn fall winter period end beginning start date deadline moment era age weekend".split()
    )
)
PLACE_PREPOSITIONS = frozenset("in at near across through into around within throughout outside inside".split())
PLACES = frozenset(
    "city town village hamlet suburb municipality commune borough parish district county province region state country "
    "island river lake mountain hill valley port harbour harbor peninsula street neighbourhood neighborhood school "
    "university college hospital factory plant farm camp prison monastery library museum office station".split()
)
_PERSON_NOUNS = frozenset(
    "man woman boy girl child baby person father mother wife husband son daughter brother sister parent uncle "
    "aunt cousin nephew niece friend guest king queen prince princess lord lady judge guard nurse priest pope "
    "monk nun saint thief chief boss mayor clerk spouse adult infant youth hero god goddess poet pilot captain "
    "colonel general major sergeant cook chef coach aide ally athlete candidate champion colleague guide host "
    "heir spy tenant victim witness partner relative resident student applicant patient client customer citizen "
    "employee employer manager member minister president secretary senator teacher doctor officer author actor "
    "actress writer singer".split()
)
# Persons that no ending shows, and nouns that mean a person as often as a thing.
_MAYBE_PERSONS = frozenset(
    "mage wizard witch "
    "star rival veteran professional individual graduate native bishop monarch sheriff soprano criminal suspect "
    "accused deputy fellow figure recruit scholar peer orphan twin villain pupil attorney surgeon teen kid guy bride "
    "groom widow captive slave knight baron count earl marquis diplomat expert architect artist model vet "
    "representative delegate executive principal head associate human male female chair lead rebel favourite favorite "
    "subject owner self pair couple duo trio crew staff police people family public youth majority rest team-mate "
    "adolescent resident regent agent student client parent respondent correspondent president dependent opponent "
    "recipient patient participant prophet messiah apostle disciple duke emperor chancellor ambassador aristocrat "
    "laureate advocate magistrate candidate pirate primate prelate legate convict addict mystic cleric critic medic "
    "comic mechanic academic fan hero heroine maid monk nun sultan shah tsar czar caliph sheikh rabbi imam".split()
)
_MAYBE_ENDINGS = ("ent", "ary", "ard", "an", "cial")  # superintendent, emissary, guard, artisan, official
_PERSON_ENDINGS = ("er", "or", "ist", "ian", "ee", "man", "woman", "ess", "ant", "eer", "person", "crat", "ologist")
# They end like persons, and are none.
_NO_PERSONS = frozenset(
    "number letter river water power computer paper order offer matter centre center chapter corner tower winter "
    "summer weather layer border error mirror floor door factor sector motor vector color colour humor humour "
    "labor labour harbor harbour flavor honor honour favor favour behavior behaviour committee fee tree degree "
    "coffee guarantee list process success access address business illness witness-box plant restaurant grant "
    "december october november september supper dinner shelter theater theatre character register newspaper "
    "server filter meter metre liter diameter parameter laser radar career interior exterior corridor monitor "
    "reactor tractor vapor tumor rumor terror horror cancer fever liver finger shoulder feather leather ladder "
    "lumber timber rubber silver sugar copper pepper butter quarter charter danger manner answer transfer cover "
    "over under tender gender disorder folder holder container sensor processor counter encounter disaster "
    "cluster poster banner barrier carrier frontier premier elephant giant variant constant cholesterol protest "
    "exist".split()
)
_THING_ENDINGS = ("tion", "sion", "ment", "ity", "ness", "ship", "ance", "ence", "ism", "logy", "ture", "dom", "ware")
_THINGS = frozenset(
    "council company court school city town village river form letter book film movie song album team system law "
    "act house church car train ship boat plane plan project program programme report study survey test bank "
    "store shop market building bridge road street station airport hospital museum library theatre theater "
    "university college institute office board committee party club band group army navy union league firm "
    "agency bureau department ministry service fund trust charity network website page app device machine engine "
    "computer phone tool product drug medicine disease virus cell plant tree flower animal species island lake "
    "sea ocean mountain hill forest park garden farm field desert coast country state nation province county "
    "district region area zone kingdom empire republic language word name term text article paper magazine "
    "newspaper journal novel play series show game match race cup season tournament event festival war battle "
    "attack storm hurricane earthquake flood fire policy rule contract treaty bill tax budget price cost rate "
    "number amount level process method model theory temple castle palace tower wall gate door room kitchen hall "
    "line route railway highway canal dam mine factory mill brewery planet star moon sun galaxy comet asteroid "
    "satellite rocket mission data file avenue boulevard square beach cathedral abbey inc corporation ltd award "
    "prize record records cross".split()
)
# A noun that only measures another one, and so is not what a pronoun would stand for.
QUANTITIES = frozenset(
    "lot lots number majority minority rest half third quarter cent percent % percentage variety range kind type "
    "sort couple dozens hundreds thousands millions plenty bulk handful most one ones some any none each all "
    "both few many others other part parts portion share amount total series pair bit piece pieces deal set".split()
)
# Determiners whose noun phrase has no one owner that a second sentence could name.
NOT_ONE_OWNER = frozenset(
    "no every each any either neither another what which whatever whichever few little such".split()
)
PARTIAL = frozenset(
    "many most some several other more certain various all both numerous only fewer less enough".split()
)
CONDITIONS = frozenset(
    "if unless provided providing until till whenever whether lest supposing assuming once when where wherever "
    "while".split()
)
# Adverbs before a verb that a second verb phrase shares, unless they only say that something comes next.
SPREADING_ADVERBS = frozenset(
    "also then later subsequently eventually first finally soon immediately quickly originally initially briefly "
    "recently formerly previously".split()
)

# What an event does or is, so that "which" may mean all that was said before.
EVENT_VERBS = frozenset(
    "allow make made lead led cause result help mean meant show give gave bring brought leave left prompt force "
    "enable explain prove happen prevent create suggest reflect take took require keep kept end come came imply "
    "indicate constitute demonstrate highlight raise confirm "
    "signify signal symbolise symbolize emphasise emphasize underline illustrate "
    "seem furnish contribute trigger spark affect increase reduce improve ensure cost".split()
)
EVENT_WORDS = frozenset(
    "effort attempt reason result sign step decision move problem mistake fact thing way surprise cause means "
    "why how good bad great nice unusual rare important interesting strange sad wrong right true false "
    "surprising unfortunate understandable ridiculous amazing crazy hard difficult easy something what when "
    "where because shame pity change example practice process violation increase decrease rise drop record first say "
    "one".split()
)
MOTIONS = frozenset("moved went came travelled traveled returned arrived fled headed goes moves comes returns".split())
# Participles of verbs that would have an object if they were not passive.
PASSIVES = frozenset(
    "known taken written shown given seen chosen driven broken born raised educated named elected appointed released "
    "published built founded established adopted awarded made used called considered located situated designed "
    "directed produced owned listed recorded buried cremated sold bought held found brought sent put replaced renamed "
    "demolished destroyed promoted nominated inducted selected included ordained crowned"
    " assigned".split()
)
# Bodies of people, which act as people do.
GROUPS = frozenset(
    "council court board government police staff team school committee agency department company bank "
    "office parliament ministry university authority people parents children men women bureau commission "
    "landlord society union army assembly senate congress hospital firm club party jury tribunal".split()
)


_LANGUAGES = frozenset(
    "english french german spanish italian portuguese dutch danish swedish norwegian finnish icelandic irish welsh "
    "scots gaelic latin greek hebrew arabic aramaic persian turkish russian polish czech hungarian romanian bulgarian "
    "ukrainian serbian croatian chinese mandarin cantonese japanese korean hindi urdu bengali tamil sanskrit malay "
    "indonesian vietnamese thai swahili yiddish catalan basque breton".split()
)


def is_language(noun: str) -> bool:
    """Return whether a name means a language, which is no place that "there" could point to."""
    return noun in _LANGUAGES


def is_person_noun(noun: str) -> bool:
    """Return whether a singular noun may well mean a person."""
    return noun in _PERSON_NOUNS or (noun.endswith(_PERSON_ENDINGS) and noun not in _NO_PERSONS | _THINGS)


def is_thing(noun: str) -> bool:
    """Return whether a singular noun surely means no person."""
    return noun in _THINGS or noun in _NO_PERSONS or (noun.endswith(_THING_ENDINGS) and noun not in _PERSON_NOUNS)


def may_be_person(noun: str) -> bool:
    """Return whether a singular noun is not sure to mean a thing."""
    ends_so = noun.endswith(_MAYBE_ENDINGS) and not is_thing(noun)
    return (noun in _MAYBE_PERSONS or ends_so or is_person_noun(noun)) and noun not in _THINGS
