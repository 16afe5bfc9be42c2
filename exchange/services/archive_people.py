"""The people of an archive: a reference and a name, and nothing else of an account."""

from collections.abc import Iterable, Mapping
from uuid import NAMESPACE_OID, UUID, uuid5

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.contrib.auth.models import User
from django.utils.translation import gettext

from clubs.models import Membership, Role, clubs_of
from core.display_names import display_name
from core.errors import InvalidInput
from exchange.archive_structs import Person
from exchange.models import ArchivedPerson
from exchange.signing import installation
from rulebook.ruleset import Problem
from warbands.signed import sign_new

MAX_OF_A_NAME = 120
GONE = "Former member"
"""The name of a person whose account was deleted.

It is not translated, as the same rows must give the same bytes.
"""
UNUSABLE = UNUSABLE_PASSWORD_PREFIX
"""The password of a placeholder: nobody can sign in with it."""


def referenced(user_ids: Iterable[int]) -> Mapping[int, Person]:
    """Return the people of these accounts by account id. Create missing references.

    Takes one query, four if there are new people, and one more if an account was deleted.
    """
    account_ids = set(user_ids)
    people_by_id = _read(account_ids)
    if new := account_ids - people_by_id.keys():
        existing = User.objects.filter(pk__in=new).values_list("pk", flat=True)
        # Two exports at the same time may both find a new person: both use the reference stored
        # first.
        people = sign_new(ArchivedPerson(user_id=each) for each in existing)
        ArchivedPerson.objects.bulk_create(people, ignore_conflicts=True)
        people_by_id |= _read(new)
    # The activity log outlives accounts and has only their ids: the same id gives the same
    # reference each time.
    namespace = (
        uuid5(NAMESPACE_OID, installation()) if account_ids - people_by_id.keys() else NAMESPACE_OID
    )
    gone = {
        each: Person(uuid5(namespace, str(each)), GONE)
        for each in account_ids - people_by_id.keys()
    }
    return people_by_id | gone


def _read(user_ids: set[int]) -> dict[int, Person]:
    rows = ArchivedPerson.objects.select_related("user").filter(user__in=user_ids)
    return {row.user_id: Person(row.reference, row.name or display_name(row.user)) for row in rows}


def remap_users(
    people: Mapping[UUID, Person], chosen: Mapping[str, int | None], user: User
) -> Mapping[UUID, int]:
    """Return the account for each person of an archive: the chosen one, or else a placeholder.

    A placeholder that the user has imported before for the same person is used again. Raises
    InvalidInput (`unknown-person`, `not-your-player` or `one-account-twice`) with a pointer to the
    reference.
    """
    account_of = {
        reference: key for reference, key in _chosen(people, chosen).items() if key is not None
    }
    allowed = _choosable(user, set(account_of.values()))
    taken: dict[int, UUID] = {}
    for reference, key in account_of.items():
        if key not in allowed:
            sentence = gettext(
                "%(name)s can only become you or a member of a club that you organise."
            )
            raise _refused(
                reference, "not-your-player", sentence % {"name": people[reference].name}
            )
        if key in taken:
            sentence = gettext("%(name)s and %(other)s cannot become the same account.")
            sentence %= {"name": people[reference].name, "other": people[taken[key]].name}
            raise _refused(reference, "one-account-twice", sentence)
        taken[key] = reference
    _take_over(account_of)
    without = {
        reference: person for reference, person in people.items() if reference not in account_of
    }
    return {**account_of, **_placeholders(without, user)}


def _chosen(
    people: Mapping[UUID, Person], chosen: Mapping[str, int | None]
) -> dict[UUID, int | None]:
    reference_of = {str(reference): reference for reference in people}
    for key in chosen:
        if key not in reference_of:
            sentence = gettext("Nobody in the archive has this reference.")
            field = f"/people/{key[:40]}"
            raise InvalidInput(
                "unknown-person",
                sentence,
                problems=[Problem("unknown-person", sentence, field=field)],
                field=field,
            )
    return {reference_of[key]: user_id for key, user_id in chosen.items()}


def _choosable(user: User, account_ids: set[int]) -> set[int]:
    """Return those of the accounts that the user may choose for people in an import.

    Three queries.
    """
    accounts = User.objects.filter(pk__in=account_ids)
    if user.is_staff:
        return set(accounts.values_list("pk", flat=True))
    organised = Membership.objects.present().filter(club__in=clubs_of(user, Role.ORGANISER))
    players = accounts.filter(pk__in=organised.values("user"))
    brought = accounts.filter(archived_person__placeholder=True, archived_person__brought_by=user)
    return {
        *({user.pk} & account_ids),
        *players.values_list("pk", flat=True),
        *brought.values_list("pk", flat=True),
    }


def _take_over(account_of: Mapping[UUID, int]) -> None:
    """Store the references of the archive for the accounts that have none yet. Two queries."""
    with_reference = set(
        ArchivedPerson.objects.filter(reference__in=account_of).values_list("reference", flat=True)
    )
    new = [
        ArchivedPerson(user_id=key, reference=each)
        for each, key in account_of.items()
        if each not in with_reference
    ]
    ArchivedPerson.objects.bulk_create(sign_new(new), ignore_conflicts=True)


def _placeholders(people: Mapping[UUID, Person], user: User) -> dict[UUID, int]:
    """Return a placeholder for each person, and create the missing ones. Four queries at most."""
    existing = ArchivedPerson.objects.filter(
        reference__in=people, placeholder=True, brought_by=user
    )
    account_of = dict(existing.values_list("reference", "user_id"))
    new = [person for reference, person in people.items() if reference not in account_of]
    names = _free_names(new)
    accounts = User.objects.bulk_create(
        [
            User(username=names[person.reference], is_active=False, password=UNUSABLE)
            for person in new
        ]
    )
    placeholders = (
        ArchivedPerson(
            user=account,
            reference=person.reference,
            name=person.name,
            placeholder=True,
            brought_by=user,
        )
        for person, account in zip(new, accounts, strict=True)
    )
    ArchivedPerson.objects.bulk_create(sign_new(placeholders))
    return account_of | {
        person.reference: account.pk for person, account in zip(new, accounts, strict=True)
    }


def _free_names(people: Iterable[Person]) -> dict[UUID, str]:
    """Return a free user name for each person.

    Nobody can sign up with it, as it has parentheses.
    """
    taken = set(User.objects.filter(username__endswith=")").values_list("username", flat=True))
    names: dict[UUID, str] = {}
    for person in people:
        number, name = 1, f"{person.name[:MAX_OF_A_NAME]} (archive)"
        while name in taken:
            number += 1
            name = f"{person.name[:MAX_OF_A_NAME]} (archive {number})"
        taken.add(name)
        names[person.reference] = name
    return names


def _refused(reference: UUID, code: str, sentence: str) -> InvalidInput:
    field = f"/people/{reference}"
    return InvalidInput(
        code,
        sentence,
        field=field,
        problems=[Problem(code, sentence, field=field, value=str(reference))],
    )
