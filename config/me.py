"""Who am I?"""

from django.contrib.auth.models import User
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers


class MeSerializer(serializers.ModelSerializer[User]):
    """The signed-in user."""

    class Meta:
        model = User
        fields = ["id", "username", "email", "first_name", "last_name", "date_joined"]
        read_only_fields = ["id", "username", "email", "date_joined"]


@extend_schema(summary="The signed-in user")
class MeView(generics.RetrieveUpdateAPIView[User]):
    """One's own account. The names can be changed here, everything else on the account pages."""

    serializer_class = MeSerializer
    http_method_names = ["get", "patch", "head", "options"]

    def get_object(self) -> User:
        return get_object_or_404(User, username=self.request.user.get_username())
