"""`rulesets/{key}/calculators/` and `rulesets/{key}/odds/`:

the calculators of a rule system, and their answers.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.routers import BaseRouter
from rest_framework.viewsets import GenericViewSet

from core.api.defaults import NumberedPages
from core.api.strict_input import ExactView
from core.errors import InvalidInput
from reference.selectors.calculators import (
    NUMBERS,
    calculator,
    calculators_about,
    ruleset_or_not_found,
    told_values,
)
from rulebook.registry import rulesets
from rulebook.ruleset import Calculator
from rulebook.values.answers import Answer
from rulebook.values.fields import Field
from warbands.api.examples import EXAMPLE_ANSWER, EXAMPLE_CALCULATOR
from warbands.models import Warband

ODDS = "odds"
ABOUT = ("numbers", "fighters", "battle")
MAX_NAMED = 16
"""A longer list of choices is only in the list of calculators."""
RULESET_KEY = OpenApiParameter(
    "ruleset", OpenApiTypes.STR, OpenApiParameter.PATH, description="The rule system's key."
)
CALCULATOR_KEY = OpenApiParameter(
    "calculator", OpenApiTypes.STR, OpenApiParameter.PATH, description="The calculator's key."
)
VALUES = OpenApiParameter(
    "values",
    {"type": "object", "additionalProperties": {"type": "string"}},
    description="The fields of the calculator, each as a parameter of its own. All may be left "
    "out.",
)
ANSWER = OpenApiExample("Answer", EXAMPLE_ANSWER, response_only=True)


class ManyToAPage(NumberedPages):
    """All calculators of a rule system fit on one page."""

    page_size = 100


class AskingViewSet(ExactView, GenericViewSet[Warband]):
    """A rule system in its newest edition, with its calculators. ``group`` limits which ones."""

    lookup_field = "calculator"
    lookup_value_regex = "[a-z0-9-]+"
    filter_backends = []
    queryset = Warband.objects.none()
    pagination_class = ManyToAPage
    group = ""

    def answer(self, request: Request, ruleset: str, key: str) -> Response:
        """Return the answer of the calculator.

        Raises NotFound, and RulesError for values that are not valid.
        """
        rules = ruleset_or_not_found(ruleset)
        chosen = calculator(rules, key, self.group)
        return Response(
            rules.calculators.ask(chosen.key, told_values(request.query_params.lists()))
        )


class CalculatorViewSet(AskingViewSet):
    """Calculators of a rule system."""

    @extend_schema(
        summary="List calculators",
        parameters=[
            RULESET_KEY,
            OpenApiParameter("about", enum=ABOUT, description="Their subject; without it, all."),
        ],
        responses=Calculator,
        examples=[OpenApiExample("Drowning", EXAMPLE_CALCULATOR, response_only=True)],
    )
    def list(self, request: Request, ruleset: str) -> Response:
        """Each with its fields, their defaults, and example values.

        Calculators about numbers have an address of their own; those about fighters and a battle
        are the kinds of `fighters/{id}/odds/` and `battles/{id}/odds/`.
        """
        rules = ruleset_or_not_found(ruleset)
        about = request.query_params.get("about") or ""
        if about not in ("", *ABOUT):
            raise InvalidInput(
                "unknown-about",
                f"Calculators are about {', '.join(ABOUT)}, not {about!r}.",
                field="about",
            )
        calculators = calculators_about(rules, about) if about else rules.calculators.all()
        page: Any = self.paginate_queryset(calculators)
        return self.get_paginated_response(msgspec.to_builtins(page))

    @extend_schema(
        summary="Use a calculator",
        parameters=[RULESET_KEY, CALCULATOR_KEY, VALUES],
        responses=Answer,
        examples=[ANSWER],
    )
    def retrieve(self, request: Request, ruleset: str, calculator: str) -> Response:
        """Its fields are the parameters. The answer lists every modifier and every assumption."""
        return self.answer(request, ruleset, calculator)


class OddsViewSet(AskingViewSet):
    """Exact odds, calculated and never simulated."""

    group = ODDS

    @extend_schema(
        operation_id="rulesets_odds_retrieve",
        summary="Calculate odds",
        parameters=[RULESET_KEY, CALCULATOR_KEY, VALUES],
        responses=Answer,
        examples=[ANSWER],
    )
    def retrieve(self, request: Request, ruleset: str, calculator: str) -> Response:
        """`outcomes` has each chance as a fraction in lowest terms: "5/12"."""
        return self.answer(request, ruleset, calculator)


def register(router: BaseRouter) -> None:
    """Add the calculators to the API."""
    router.register(
        "rulesets/(?P<ruleset>[a-z0-9-]+)/calculators", CalculatorViewSet, basename="calculator"
    )
    router.register("rulesets/(?P<ruleset>[a-z0-9-]+)/odds", OddsViewSet, basename="odds")


# Every calculator in the schema, under its own address.


def describe_calculators(
    result: dict[str, Any], generator: Any, request: Any, public: bool
) -> dict[str, Any]:
    """A hook of drf-spectacular: each calculator about numbers with its parameters and an
    example."""
    paths = result["paths"]
    for rules in rulesets():
        for listed in calculators_about(rules, NUMBERS):
            answer = rules.calculators.ask(
                listed.key, listed.examples[0] if listed.examples else {}
            )
            place = ODDS if listed.group == ODDS else "calculators"
            pattern = paths.get(f"/api/v1/rulesets/{{ruleset}}/{place}/{{calculator}}/")
            if pattern is not None:
                operation = _operation(pattern["get"], f"{rules.key}-{place}", listed, answer)
                paths[f"/api/v1/rulesets/{rules.key}/{place}/{listed.key}/"] = {"get": operation}
    return result


def _operation(
    pattern: Mapping[str, Any], where: str, each: Calculator, answer: Mapping[str, Any]
) -> dict[str, Any]:
    content = pattern["responses"]["200"]["content"]["application/json"]
    shown = {"schema": content["schema"], "examples": {"Answer": {"value": answer}}}
    return {
        "operationId": f"{where}_{each.key}".replace("-", "_"),
        "summary": each.name,
        "description": each.help,
        "parameters": [_parameter(field, each) for field in each.fields],
        "tags": pattern["tags"],
        "security": pattern["security"],
        "responses": {
            "200": {"content": {"application/json": shown}, "description": "The answer."}
        },
    }


def _parameter(field: Field, calculator: Calculator) -> dict[str, Any]:
    words = (field.label, field.help, f"Empty: {field.default}." if field.default else "")
    described: dict[str, Any] = {
        "in": "query",
        "name": field.key,
        "description": ". ".join(word.rstrip(".") for word in words if word) + ".",
        "schema": _schema(field),
    }
    example = next(
        (values[field.key] for values in calculator.examples if field.key in values), None
    )
    return described if example is None else described | {"example": _typed(field, example)}


def _typed(field: Field, text: str) -> Any:
    """Return a value of the kind that ``_schema`` describes: calculators take and name texts."""
    if field.kind == "number":
        return int(text)
    if field.kind == "length":
        return float(text)
    return text == "true" if field.kind == "flag" else text


def _schema(field: Field) -> dict[str, Any]:
    if field.kind in ("number", "length"):
        bounds = {"minimum": field.least, "maximum": field.most}
        kind = "integer" if field.kind == "number" else "number"
        return {"type": kind} | {name: bound for name, bound in bounds.items() if bound is not None}
    if field.kind == "flag":
        return {"type": "boolean"}
    keys = [key for key, _ in field.choices if key]
    few = field.kind == "choice" and len(keys) <= MAX_NAMED
    return {"type": "string", "enum": keys} if few else {"type": "string"}
