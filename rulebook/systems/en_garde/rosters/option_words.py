"""An option line in a few words, for forms and for rank-up sheets."""

from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.book.lists import Option


def option_label(option: Option) -> str:
    """What the option line is about, with its conditions: "Instead of pike", "Up to 2 Attributes"."""
    return "; ".join([_subject(option), *_conditions(option)])


def _subject(option: Option) -> str:
    if option.kind == "exchange":
        return f"Instead of {catalogue.item_name(option.gives_up).lower()}"
    if option.kind == "mount":
        return "Mount"
    if option.kind == "crew":
        guns = (catalogue.gun(key).name.lower() for key in option.guns)
        return f"May serve a {catalogue.listed(guns, 'or')}"
    if option.kind == "attributes":
        return _attributes(option)
    several = f"Up to {option.most}: " if option.most > 1 else ""
    return several + catalogue.listed((catalogue.item_name(key) for key in option.items), "or")


def _attributes(option: Option) -> str:
    if option.attributes:
        return catalogue.listed(map(catalogue.attribute_name, option.attributes), "or")
    count = "One Attribute" if option.most == 1 else f"Up to {option.most} Attributes"
    excluded = catalogue.listed(map(catalogue.attribute_name, option.excluded), "or")
    return f"{count}, not {excluded}" if option.excluded else count


def _conditions(option: Option) -> list[str]:
    conditions = []
    if option.share:
        part = f"{option.share[0]} in {option.share[1]} of them"
        what = f"{catalogue.attribute_name(option.share_of)} for " if option.share_of else ""
        conditions.append(f"{what}at most {part}")
    if option.alone:
        conditions.append("with no other option")
    if option.if_mounted:
        conditions.append("if mounted")
    if option.if_attribute:
        conditions.append(f"with {catalogue.attribute_name(option.if_attribute)}")
    if option.if_all_mounted:
        conditions.append("if everybody else rides")
    return conditions
