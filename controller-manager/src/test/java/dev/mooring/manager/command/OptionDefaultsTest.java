package dev.mooring.manager.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.manager.lifecycle.KnownController;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Defaults in the help are those of the code. */
class OptionDefaultsTest {
  @Test
  void help_defaults_equalDefaultConfiguration() {
    CommandLine run = FlagTypes.commandLine(new RunCommand());
    run.parseArgs();
    List<String> differing = new ArrayList<>();
    for (OptionSpec option : run.getCommandSpec().options()) {
      if (option.defaultValue() != null
          && !Objects.equals(option.initialValue(), option.getValue())) {
        differing.add(
            option.longestName()
                + ": the help says "
                + option.getValue()
                + ", the code "
                + option.initialValue());
      }
    }
    assertThat(run.getCommandSpec().options()).hasSizeGreaterThan(40);
    assertThat(differing).isEmpty();
  }

  @Test
  void help_controllersOffByDefault_areListed() {
    Set<String> off = new TreeSet<>(KnownController.names());
    off.removeAll(KnownController.onByDefault());
    String help = FlagTypes.commandLine(new RunCommand()).getUsageMessage().replaceAll("\\s+", " ");
    assertThat(off).isNotEmpty();
    assertThat(help).contains("Off by default: " + String.join(", ", off) + ". Default: *.");
  }
}
