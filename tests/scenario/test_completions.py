"""completions and man: generated from the same tables as -h, and what shells and roff make of them."""
import os
import re
import shutil
import subprocess

from _scenario import Scenario, main

OPTION = re.compile(r"^\s+((?:-\w,)?--[\w-]+|-\w)\b", re.M)


class Generated(Scenario):
    def commands(self, path=()):
        """Every command with its help text, found by walking -h."""
        text = self.flakestat(*path, "-h")
        yield path, text
        listed = text.partition("\nSubcommands:\n")[2].partition("\n\n")[0]
        for name in re.findall(r"^  ([\w-]+)", listed, re.M):
            yield from self.commands((*path, name))

    def options(self, text):
        return [name for names in OPTION.findall(text) for name in names.split(",")]

    def tool(self, *args, stdin=b""):
        return subprocess.run(args, cwd=self.root, env=self.env, input=stdin, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=60)

    def need(self, tool):
        if shutil.which(tool) is None:
            self.skipTest(f"SKIPPED, NOT PASSED: {tool} is not installed")


class Help(Generated):
    def test_every_command_has_an_example_and_says_what_each_option_does(self):
        found = list(self.commands())
        self.assertGreater(len(found), 5)
        for path, text in found:
            if path and "Subcommands:" not in text:
                self.assertIn("\nExample:\n  ", text, path)
                self.assertIn("flakestat " + " ".join(path), text.partition("\nExample:\n")[2], path)
            self.assertGreater(len(self.options(text)), 0, path)
            page = self.flakestat("man", *path)
            described = re.findall(r"^\.TP\n\\fB.*\n(.*)\n", page, re.M)
            self.assertGreaterEqual(len(described), len(self.options(text)) / 2, path)
            for line in described:
                self.assertRegex(line, r"^\w|^\\&", path)


class Bash(Generated):
    def setUp(self):
        super().setUp()
        self.need("bash")
        self.script = self.write("c.bash", self.flakestat("completions", "bash"))

    def complete(self, *words):
        """What bash offers for the last word, by the very function it would call."""
        program = ('source c.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
                   '_flakestat flakestat "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"; '
                   'printf "%s\\n" "${COMPREPLY[@]}"')
        done = self.tool("bash", "-c", program, "bash", *words)
        self.assertEqual((done.returncode, done.stderr), (0, b""), words)
        return done.stdout.decode().split()

    def test_the_script_has_no_syntax_error_and_registers_itself(self):
        self.assertEqual(self.tool("bash", "-n", self.script).stderr, b"")
        done = self.tool("bash", "-c", "source c.bash; complete -p flakestat")
        self.assertIn(b"-F _flakestat", done.stdout)

    def test_every_option_of_every_command_is_offered(self):
        for path, text in self.commands():
            self.assertEqual(set(self.options(text)) - set(self.complete("flakestat", *path, "-")), set(), path)

    def test_commands_are_offered_at_the_beginning_only(self):
        self.assertIn("report", self.complete("flakestat", ""))
        self.assertEqual(self.complete("flakestat", "rep"), ["report"])
        self.assertEqual(self.complete("flakestat", "report", "rep"), [])

    def test_values_are_offered_where_they_are_known(self):
        self.assertEqual(self.complete("flakestat", "report", "--format", ""), ["table", "json", "markdown"])
        self.assertEqual(self.complete("flakestat", "report", "--model", "f"), ["flip-rate"])

    def test_the_form_with_an_equals_sign_completes_too(self):
        self.assertEqual(self.complete("flakestat", "report", "--format", "=", "j"), ["json"])
        self.assertEqual(self.complete("flakestat", "report", "--format", "="), ["table", "json", "markdown"])

    def test_a_value_without_choices_is_left_to_bash(self):
        self.assertEqual(self.complete("flakestat", "report", "--dir", "-"), [])

    def test_behind_two_dashes_nothing_of_ours_is_offered(self):
        self.assertEqual(self.complete("flakestat", "hunt", "--", "pytest", "--f"), [])

    def test_other_shells_than_ours_are_refused(self):
        self.flakestat("completions", "tcsh", code=64)
        self.flakestat("completions", code=64)


class OtherShells(Generated):
    def check_options(self, script, spell):
        for path, text in self.commands():
            for name in self.options(text):
                self.assertIn(spell(name), script, path)

    def test_zsh_names_every_option(self):
        script = self.flakestat("completions", "zsh")
        for path, text in self.commands():
            function = script.partition("\n_" + "_".join(("flakestat", *path)).replace("-", "_") + "() {")[2]
            function = function.partition("\n}\n")[0]
            for name in self.options(text):
                self.assertRegex(function, re.escape(name) + r"=?-?\[", path)

    def test_zsh_parses_it(self):
        self.need("zsh")
        self.write("_flakestat", self.flakestat("completions", "zsh"))
        done = self.tool("zsh", "-n", "_flakestat")
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_fish_names_every_option(self):
        script = self.flakestat("completions", "fish")
        for path, text in self.commands():
            lines = [line for line in script.splitlines()
                     if all(f"__fish_seen_subcommand_from {word}" in line for word in path)]
            for name in self.options(text):
                spelled = f" -l {name[2:]} " if name.startswith("--") else f" -s {name[1:]} "
                self.assertTrue(any(spelled in line for line in lines), (path, name))

    def test_fish_parses_it(self):
        self.need("fish")
        self.write("c.fish", self.flakestat("completions", "fish"))
        done = self.tool("fish", "-n", "c.fish")
        self.assertEqual((done.returncode, done.stderr), (0, b""))


class Man(Generated):
    def pages(self):
        names = self.flakestat("man", "--output", "pages").split()
        return {os.path.basename(name): (self.root / name).read_text() for name in names}

    def test_a_page_for_every_command_names_every_option(self):
        pages = self.pages()
        found = list(self.commands())
        self.assertEqual(len(pages), len(found))
        for path, text in found:
            page = pages["-".join(("flakestat", *path)) + ".1"]
            plain = page.replace("\\-", "-")
            for name in self.options(text):
                self.assertIn(f"\\fB{name}\\fR", plain, path)
            self.assertEqual(self.flakestat("man", *path), page)

    def test_a_page_prints_what_the_example_says(self):
        self.need("groff")
        done = self.tool("groff", "-man", "-Tutf8", "-ww", "-P", "-cbou", stdin=self.flakestat("man", "hunt").encode())
        text = re.sub(r"\s+", " ", done.stdout.decode())
        self.assertIn("flakestat hunt --runs 20 --junit 'reports/junit-{run}.xml' -- pytest -q '--junitxml={junit}'", text)

    def test_groff_has_no_warning(self):
        self.need("groff")
        for name, page in self.pages().items():
            done = self.tool("groff", "-man", "-Tutf8", "-ww", stdin=page.encode())
            self.assertEqual((done.returncode, done.stderr), (0, b""), name)

    def test_man_has_no_warning(self):
        self.need("man")
        self.pages()
        for page in sorted((self.root / "pages").iterdir()):
            done = self.tool("man", "--warnings", "-l", str(page))
            self.assertEqual((done.returncode, done.stderr), (0, b""), page.name)

    def test_mandoc_has_no_warning(self):
        self.need("mandoc")
        self.pages()
        for page in sorted((self.root / "pages").iterdir()):
            done = self.tool("mandoc", "-Tlint", "-Wwarning", str(page))
            self.assertEqual((done.returncode, done.stdout), (0, b""), page.name)

    def test_an_unknown_command_names_the_nearest(self):
        self.flakestat("man", "reprot", code=64)
        self.assertIn("report", self.talk)
        self.flakestat("man", "report", "--output", "x", code=64)
        self.write("file", "")
        self.flakestat("man", "--output", "file/below", code=74)


class Install(Generated):
    def test_binary_pages_and_completions_land_under_the_prefix(self):
        self.need("cmake")
        prefix = self.root / "prefix"
        done = self.tool("cmake", "--install", os.environ["FLAKESTAT_BUILD_DIR"], "--prefix", str(prefix))
        self.assertEqual(done.returncode, 0, done.stderr)
        version = subprocess.run([str(prefix / "bin/flakestat"), "--version"], stdout=subprocess.PIPE, check=True)
        self.assertIn(b"flakestat", version.stdout)
        for name in ("share/man/man1/flakestat.1", "share/man/man1/flakestat-hunt.1",
                     "share/bash-completion/completions/flakestat", "share/zsh/site-functions/_flakestat",
                     "share/fish/vendor_completions.d/flakestat.fish"):
            self.assertGreater((prefix / name).stat().st_size, 100, name)


if __name__ == "__main__":
    main()
