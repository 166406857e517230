"""What Go itself says of the user's settings."""

from __future__ import annotations

from hardway.labrelease.compile import toolchain


def test_what_the_user_says_of_proxies_is_kept_and_the_rest_is_not(tmp_path, monkeypatch):
    for name, value in {
        "GOPROXY": "https://proxy.example.com",
        "GOPRIVATE": "example.com",
        "GOFLAGS": "-race",
        "GOOS": "plan9",
        "GOEXPERIMENT": "rangefunc",
        "CGO_CFLAGS": "-O0",
        "GOMAXPROCS": "1",
        "HTTPS_PROXY": "http://proxy.example.com:3128",
    }.items():
        monkeypatch.setenv(name, value)
    given = toolchain.environment(toolchain.find(), cgo=True, build_cache=tmp_path)
    assert (given["GOPROXY"], given["GOPRIVATE"]) == ("https://proxy.example.com", "example.com")
    assert (given["HTTPS_PROXY"], given["GOMAXPROCS"]) == ("http://proxy.example.com:3128", "1")
    assert (given["GOFLAGS"], given["GOOS"], given["CGO_ENABLED"]) == ("-mod=readonly", "linux", "1")
    assert given["GOCACHE"] == str(tmp_path)
    assert not {"GOEXPERIMENT", "CGO_CFLAGS"} & given.keys()
