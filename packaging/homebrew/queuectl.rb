class Queuectl < Formula
  desc "Durable job queue for shell commands"
  homepage "https://github.com/queuectl/queuectl"
  version "@VERSION@"
  license "MIT"

  on_macos do
    on_arm do
      url "https://github.com/queuectl/queuectl/releases/download/v@VERSION@/queuectl-@VERSION@-macos-arm64.tar.gz"
      sha256 "@SHA256:macos-arm64@"
    end
    on_intel do
      url "https://github.com/queuectl/queuectl/releases/download/v@VERSION@/queuectl-@VERSION@-macos-x64.tar.gz"
      sha256 "@SHA256:macos-x64@"
    end
  end

  on_linux do
    on_arm do
      url "https://github.com/queuectl/queuectl/releases/download/v@VERSION@/queuectl-@VERSION@-linux-arm64.tar.gz"
      sha256 "@SHA256:linux-arm64@"
    end
    on_intel do
      url "https://github.com/queuectl/queuectl/releases/download/v@VERSION@/queuectl-@VERSION@-linux-x64.tar.gz"
      sha256 "@SHA256:linux-x64@"
    end
  end

  def install
    bin.install "bin/queuectl"
    man1.install Dir["share/man/man1/*"]
    man5.install Dir["share/man/man5/*"]
    man7.install Dir["share/man/man7/*"]
    bash_completion.install "share/bash-completion/completions/queuectl"
    zsh_completion.install "share/zsh/site-functions/_queuectl"
    fish_completion.install "share/fish/vendor_completions.d/queuectl.fish"
  end

  service do
    run [opt_bin/"queuectl", "worker", "run"]
    keep_alive successful_exit: false
  end

  test do
    ENV["QUEUECTL_HOME"] = testpath
    assert_equal "hello\n", shell_output("#{bin}/queuectl run 'echo hello'")
  end
end
