package dev.mooring.manager.command;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "completion",
    description = {
      "Prints a script that completes commands, flags and their values in a shell.",
      "Example: source <(mooring completion bash)"
    },
    mixinStandardHelpOptions = true)
public final class CompletionCommand implements Callable<Integer> {
  enum Shell {
    bash,
    zsh
  }

  @Parameters(
      arity = "1",
      paramLabel = "bash|zsh",
      description = "Shell that reads the script: ${COMPLETION-CANDIDATES}.")
  private Shell shell = Shell.bash;

  @Spec private @Nullable CommandSpec spec;

  public CompletionCommand() {}

  @Override
  public Integer call() {
    if (spec == null) {
      return 1;
    }
    // the script of picocli works in both shells; zsh only needs its completion system
    if (shell == Shell.zsh) {
      System.out.println("autoload -U +X compinit && compinit");
    }
    System.out.println(AutoComplete.bash("mooring", spec.root().commandLine()));
    return 0;
  }
}
