"""LibreOffice without a window: tracked changes of Word files accepted or rejected by it, and the text that is left."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

SOFFICE = shutil.which("soffice")
needed = pytest.mark.skipif(
    SOFFICE is None, reason="LibreOffice is not installed: apt-get install libreoffice-writer-nogui"
)

_MACRO = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE script:module PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "module.dtd">
<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1" script:language="StarBasic">
Sub Texts(folder As String)
    Dim files() As String, file As String, count As Integer, i As Integer
    file = Dir(folder + "/*.docx")
    Do While file &lt;&gt; ""
        ReDim Preserve files(count)
        files(count) = file
        count = count + 1
        file = Dir()
    Loop
    For i = 0 To count - 1
        SaveText(folder + "/" + files(i), "Accept")
        SaveText(folder + "/" + files(i), "Reject")
    Next
End Sub

Sub SaveText(path As String, what As String)
    Dim hidden(0) As New com.sun.star.beans.PropertyValue, how(1) As New com.sun.star.beans.PropertyValue
    Dim document As Object, helper As Object
    hidden(0).Name = "Hidden"
    hidden(0).Value = True
    how(0).Name = "FilterName"
    how(0).Value = "Text (encoded)"
    how(1).Name = "FilterOptions"
    how(1).Value = "UTF8,LF,,,"
    document = StarDesktop.loadComponentFromURL(ConvertToURL(path), "_blank", 0, hidden())
    helper = createUnoService("com.sun.star.frame.DispatchHelper")
    helper.executeDispatch(document.CurrentController.Frame, ".uno:" + what + "AllTrackedChanges", "", 0, Array())
    document.storeToURL(ConvertToURL(path + "." + what + ".txt"), how())
    document.close(True)
End Sub
</script:module>
"""


def texts(files: Mapping[str, bytes], folder: Path) -> dict[str, tuple[str, str]]:
    """For each file its text with all changes accepted, and with all rejected."""
    assert SOFFICE is not None
    documents = folder / "documents"
    documents.mkdir()
    for name, data in files.items():
        (documents / f"{name}.docx").write_bytes(data)
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    # The first start makes the profile, and in it an empty module for macros.
    for what in ("--terminate_after_init", f'macro:///Standard.Module1.Texts("{documents}")'):
        _run([SOFFICE, profile, "--headless", what])
        (folder / "profile/user/basic/Standard/Module1.xba").write_text(_MACRO)

    def text(name: str, what: str) -> str:
        return (documents / f"{name}.docx.{what}.txt").read_text(encoding="utf-8-sig")

    return {name: (text(name, "Accept"), text(name, "Reject")) for name in files}


def _run(command: list[str], seconds: float = 120) -> None:
    """Run a program, and end all that it started where it takes too long."""
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    ) as process:
        try:
            assert process.wait(seconds) == 0
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
