# Written by `cargo xtask package`.
class Adjutant < Formula
  desc "@DESCRIPTION@"
  homepage "@REPOSITORY@"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

@ARCHIVES@  def install
    man1.install Dir["man/man1/*"]
    bash_completion.install Dir["completions/*.bash"]
    fish_completion.install Dir["completions/*.fish"]
    zsh_completion.install Dir["completions/_*"]
    libexec.install Dir["*"], ".claude-plugin"
    bin.install_symlink Dir[libexec/"bin/*"]
  end

  def caveats
    <<~TEXT
      Connect a client with `adjutant install claude-code` (or: codex).
      Run the same command again after an upgrade: the path of the program contains the version.
    TEXT
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/adjutant --version")
  end
end
