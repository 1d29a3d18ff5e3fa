package dev.mooring.manager;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Tests the help of all commands, as printed on a terminal. */
class HelpTest {
  private static final Pattern HEADING = Pattern.compile("(?m)^## (.*)$");
  private static final Pattern FLAG = Pattern.compile("`(-[-a-z]*[a-zV])`");

  private static List<CommandLine> commands() {
    List<CommandLine> all = new ArrayList<>();
    collect(Main.commandLine(), all);
    return all;
  }

  private static void collect(CommandLine line, List<CommandLine> all) {
    all.add(line);
    line.getSubcommands().values().forEach(command -> collect(command, all));
  }

  private static CommandLine command(String name) {
    return Main.commandLine().getSubcommands().get(name);
  }

  /** Returns headings of the help by flag. */
  private static Map<String, String> sections(String help) {
    Map<String, String> sections = new LinkedHashMap<>();
    String heading = "";
    for (String line : help.lines().toList()) {
      if (line.matches("[A-Z].*:")) {
        heading = line.substring(0, line.length() - 1);
      } else if (line.startsWith("  -")) {
        for (String name : line.strip().split("[=,]")[0].split(" ")) {
          sections.put(name, heading);
        }
      }
    }
    return sections;
  }

  private static Map<String, String> sectionsOfPage() throws IOException {
    Map<String, String> sections = new TreeMap<>();
    String page = Files.readString(Path.of("..", "docs", "flags.md"));
    String heading = "";
    for (String line : page.lines().toList()) {
      Matcher headingMatcher = HEADING.matcher(line);
      if (headingMatcher.matches()) {
        heading = headingMatcher.group(1);
      } else if (line.startsWith("| `-")) {
        Matcher flag = FLAG.matcher(line.substring(0, line.indexOf('|', 1)));
        while (flag.find()) {
          sections.put(flag.group(1), heading);
        }
      }
    }
    return sections;
  }

  @Test
  void help_anyCommand_fitsTerminalAndSplitsNoWord() {
    for (CommandLine command : commands()) {
      String help = command.getUsageMessage();
      String name = command.getCommandSpec().qualifiedName();
      for (String line : help.lines().toList()) {
        boolean isOneWord = !line.strip().contains(" ");
        assertThat(line.length() <= 80 || isOneWord).as(name + ": " + line).isTrue();
      }
      for (OptionSpec option : command.getCommandSpec().options()) {
        if (sections(help).containsKey(option.longestName())) {
          assertThat(help)
              .as(name)
              .containsPattern("(?m)^  .*" + option.longestName() + "(, --\\S+)?(=\\S+)?$");
        }
      }
      assertThat(help).as(name).doesNotContain("%n").doesNotContainPattern("<\\w+>");
    }
  }

  @Test
  void runHelp_sections_equalThoseOfFlagsPage() throws IOException {
    Map<String, String> sections = sections(command("run").getUsageMessage());
    Map<String, String> page = sectionsOfPage();
    sections.forEach((flag, heading) -> assertThat(page.get(flag)).as(flag).isEqualTo(heading));
    assertThat(sections).hasSizeGreaterThan(80);
    List<String> order = new ArrayList<>();
    Matcher heading = HEADING.matcher(Files.readString(Path.of("..", "docs", "flags.md")));
    while (heading.find()) {
      order.add(heading.group(1));
    }
    assertThat(sections.values().stream().distinct().toList()).isEqualTo(order);
  }

  @Test
  void runHelp_booleanFlags_showTheirValuesAndExamplesFollow() {
    String help = command("run").getUsageMessage();
    assertThat(help)
        .startsWith("Usage: mooring run [FLAGS]\n")
        .contains("--leader-elect=true|false\n", "\nExamples:\n  mooring run ");
  }

  @Test
  void helpOfCommandsLikeRun_flagsOfRun_areNotListed() {
    for (String name : List.of("rights", "shadow", "uninstall")) {
      assertThat(command(name).getUsageMessage())
          .as(name)
          .startsWith("Usage: mooring " + name + " [FLAGS]\n")
          .contains("Accepts the flags of 'mooring run'")
          .doesNotContain("--csi-endpoint", "--leader-elect");
    }
  }

  @Test
  void help_commands_areGrouped() {
    String help = Main.commandLine().getUsageMessage();
    assertThat(help)
        .containsSubsequence(
            "\nInspect:\n  explain ",
            "\nRun:\n  run ",
            "\nMigrate:\n  migrate ",
            "\nTry:\n  demo ");
    TreeSet<String> listed = new TreeSet<>();
    Matcher row = Pattern.compile("(?m)^  ([a-z-]+)  ").matcher(help);
    while (row.find()) {
      listed.add(row.group(1));
    }
    assertThat(listed)
        .containsAll(Main.commandLine().getSubcommands().keySet())
        .contains("bench", "test", "dist");
  }

  @Test
  void manualPages_everyCommand_hasAllFlags() {
    Map<String, String> pages = Main.manualPages("1.0.0");
    assertThat(pages).containsKeys("mooring.1", "mooring-run.1", "mooring-migrate-nfs-subdir.1");
    assertThat(pages.get("mooring-run.1"))
        .startsWith(".TH \"MOORING-RUN\" 1 \"\" \"mooring 1.0.0\" \"Mooring\"\n")
        .contains("\\-\\-csi\\-endpoint", ".SS CSI drivers\n", ".SH EXAMPLES\n");
    assertThat(pages.get("mooring-rights.1"))
        .contains("mooring rights [FLAGS]\n", "Accepts the flags of")
        .doesNotContain("csi\\-endpoint");
    pages.forEach((name, page) ->
        assertThat(page.lines().filter(line -> line.startsWith("'"))).as(name).isEmpty());
  }
}
