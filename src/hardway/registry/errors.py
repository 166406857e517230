"""What can go wrong on the way to an image: one class a cause, so that a caller can tell them apart."""

from __future__ import annotations

from collections.abc import Sequence

from hardway.model.errors import ToolError


class RegistryError(ToolError):
    """Says what, where and how to mend it; `notes` are the other places that were tried before."""

    def __init__(self, what: str, *, fix: str, notes: Sequence[str] = ()) -> None:
        self.what, self.fix, self.notes = what, fix, tuple(notes)
        before = "".join(f"\n    before: {note}" for note in self.notes)
        super().__init__(f"{what}{before}\n    fix: {fix}")


class Unreachable(RegistryError):
    """No name, no route, nobody listening: the network, not the registry. The embedded catalogue may serve instead."""


class Untrusted(RegistryError):
    """TLS: the server's certificate is not believed."""


class Unauthorized(RegistryError):
    """401: the registry does not know who asks."""


class Denied(RegistryError):
    """403: the registry knows, and refuses."""


class NotFound(RegistryError):
    """404: no such repository, tag, digest or file."""


class NoSuchFile(NotFound):
    """A path on this machine where nothing is: the user's word is wrong, not the machine."""

    exit_code = 2


class Refused(RegistryError):
    """An answer that is none of the above: an unexpected status, a redirect that must not be followed."""


class TokenRefused(RegistryError):
    """The token server that the registry names gave no token."""


class ProxyRefused(RegistryError):
    """The proxy answered, but does not let us through."""


class WrongDigest(RegistryError):
    """The content is not what its digest says."""


class Truncated(RegistryError):
    """Fewer bytes than the manifest says."""


class Damaged(RegistryError):
    """The digest is right, but the content cannot be read: gzip, tar or JSON."""


class Unsupported(RegistryError):
    """Readable by others, not here."""


class TooLarge(RegistryError):
    """Larger than anything honest."""


class UnsafePath(RegistryError):
    """A path in a layer that leads out of its folder."""


class NoArchitecture(RegistryError):
    """The image is not there for the architecture that is asked for."""


class NotARelease(RegistryError):
    """An image, but not a release."""


class CacheFailed(RegistryError):
    """The cache folder cannot be used."""


class Passing(RegistryError):
    """Likely to pass: worth another try, not before `after` seconds."""

    def __init__(self, what: str, *, fix: str, notes: Sequence[str] = (), after: float = 0) -> None:
        super().__init__(what, fix=fix, notes=notes)
        self.after = after


class Interrupted(Passing):
    """The connection broke, or fell silent."""


class Busy(Passing):
    """429 or 5xx."""


def with_notes(error: RegistryError, notes: Sequence[str]) -> RegistryError:
    """The same error, with what failed before it."""
    return type(error)(error.what, fix=error.fix, notes=(*notes, *error.notes)) if notes else error
