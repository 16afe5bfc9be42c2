"""`migrate` as Django does it, but quicker for an empty database of SQLite.

Django computes all models again after each of 250 operations, which takes most of the time of the
first `make run`. An empty database needs only the models after the last one.
"""

from django.core.management.commands import migrate
from django.db.migrations import Migration, RunPython, operations
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.db.migrations.state import ProjectState

Plan = list[tuple[Migration, bool]]
OF_MODELS = (
    operations.AddConstraint,
    operations.AddField,
    operations.AddIndex,
    operations.AlterField,
    operations.AlterModelManagers,
    operations.AlterModelOptions,
    operations.AlterUniqueTogether,
    operations.CreateModel,
    operations.DeleteModel,
    operations.RemoveConstraint,
    operations.RemoveField,
    operations.RemoveIndex,
    operations.RenameField,
)
"""Operations whose result is in the models after the last one."""


class Executor(MigrationExecutor):
    """Creates an empty database of SQLite from the last state of its models."""

    def _migrate_all_forwards(
        self, state: ProjectState, plan: Plan, full_plan: Plan, fake: bool, fake_initial: bool
    ) -> ProjectState:
        is_whole = len(plan) == len(full_plan) == len(self.loader.graph.nodes)
        if fake or not is_whole or not self._is_empty() or not can_be_created(plan):
            return super()._migrate_all_forwards(  # type: ignore[misc,no-any-return]
                state, plan, full_plan, fake, fake_initial
            )
        # Models that are there would be computed again after each operation.
        state.__dict__.pop("apps", None)
        for migration, _ in plan:
            state = migration.mutate_state(state, preserve=False)
        with self.connection.schema_editor(atomic=True) as editor:
            # Step 1: all tables, with their indexes and constraints.
            for app_label, name in state.models:
                model = state.apps.get_model(app_label, name)
                if model._meta.can_migrate(self.connection):
                    editor.create_model(model)
            # Step 2: what migrations do beyond models, such as triggers, in their order.
            for migration, _ in plan:
                for operation in migration.operations:
                    if not isinstance(operation, OF_MODELS):
                        operation.database_forwards(migration.app_label, editor, state, state)
                self.record_migration(migration)  # type: ignore[call-arg,arg-type]  # outdated stub
        return state

    def _is_empty(self) -> bool:
        """Return whether this is SQLite without tables but the one of migrations."""
        tables = set(self.connection.introspection.table_names())
        recorder = MigrationRecorder.Migration._meta.db_table
        return self.connection.vendor == "sqlite" and tables <= {recorder}


def can_be_created(plan: Plan) -> bool:
    """Return whether the last models and the functions of these migrations are all of them."""
    known_kinds = (*OF_MODELS, RunPython)
    return all(
        isinstance(operation, known_kinds)
        for migration, _ in plan
        for operation in migration.operations
    )


# The command has no other place for an executor of ours.
migrate.MigrationExecutor = Executor  # type: ignore[attr-defined]


class Command(migrate.Command):
    """Django's command, with this executor."""
