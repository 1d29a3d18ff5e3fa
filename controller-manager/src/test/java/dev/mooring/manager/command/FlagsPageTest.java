package dev.mooring.manager.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Compares {@code docs/flags.md} with the flags of {@code mooring run}. */
class FlagsPageTest {
  private static final Path PAGE = Path.of("..", "docs", "flags.md");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (`-[^|]*) \\|");
  private static final Pattern FLAG = Pattern.compile("`(-[-a-z]*[a-zV])`");

  @Test
  void page_anyFlag_isListedOnce() throws IOException {
    Set<String> expected = new TreeSet<>();
    for (OptionSpec option : CommandSpec.forAnnotatedObject(new RunCommand()).options()) {
      expected.addAll(Arrays.asList(option.names()));
    }
    Set<String> listed = new TreeSet<>();
    Matcher row = ROW.matcher(Files.readString(PAGE));
    while (row.find()) {
      Matcher flag = FLAG.matcher(row.group(1));
      while (flag.find()) {
        assertThat(listed.add(flag.group(1))).as(flag.group(1)).isTrue();
      }
    }

    assertThat(listed).isEqualTo(expected);
  }
}
