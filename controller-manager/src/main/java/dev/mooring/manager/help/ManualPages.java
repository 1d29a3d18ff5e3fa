package dev.mooring.manager.help;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Manual pages of the commands, in the format of man(7). */
public final class ManualPages {
  private final String version;
  private final HelpLayout.Sections sections;

  /**
   * @param version version of the program, for the footer of each page
   */
  public ManualPages(String version, HelpLayout.Sections sections) {
    this.version = version;
    this.sections = sections;
  }

  /** Returns a page for each command by its file name, for example {@code mooring-run.1}. */
  public Map<String, String> of(CommandLine root) {
    Map<String, String> pages = new TreeMap<>();
    add(root, pages);
    return pages;
  }

  private void add(CommandLine line, Map<String, String> pages) {
    pages.put(name(line.getCommandSpec()) + ".1", page(line));
    line.getSubcommands().values().forEach(command -> add(command, pages));
  }

  private static String name(CommandSpec spec) {
    return spec.qualifiedName("-");
  }

  private String page(CommandLine line) {
    CommandSpec spec = line.getCommandSpec();
    CommandLine.Help help = line.getHelp();
    StringBuilder text = new StringBuilder();
    text.append(".TH \"").append(name(spec).toUpperCase(Locale.ROOT)).append("\" 1 \"\" ");
    text.append("\"mooring ").append(version).append("\" \"Mooring\"\n.nh\n.ad l\n");
    heading(text, "NAME");
    text.append(escape(name(spec))).append(" \\- ");
    text.append(escape(HelpLayout.summary(line).replaceAll("\\.$", ""))).append('\n');
    heading(text, "SYNOPSIS");
    text.append(escape(HelpLayout.synopsis(line).strip())).append('\n');
    heading(text, "DESCRIPTION");
    text.append(escape(String.join(" ", spec.usageMessage().description()))).append('\n');
    arguments(text, spec, help);
    flags(text, spec, help);
    footer(text, spec);
    commands(text, line);
    return text.toString();
  }

  private static void arguments(StringBuilder text, CommandSpec spec, CommandLine.Help help) {
    if (!spec.positionalParameters().isEmpty()) {
      heading(text, "ARGUMENTS");
      spec.positionalParameters().forEach(p -> entry(text, OptionText.of(p, help)));
    }
  }

  private void flags(StringBuilder text, CommandSpec spec, CommandLine.Help help) {
    heading(text, "FLAGS");
    HelpLayout.bySection(spec, help, sections)
        .forEach((section, options) -> {
          if (!section.isEmpty()) {
            text.append(".SS ").append(escape(section)).append('\n');
          }
          options.forEach(option -> entry(text, option));
        });
    if (sections.isLikeRun(spec)) {
      text.append(".PP\n").append(escape(HelpLayout.acceptance())).append('\n');
    }
  }

  private static void footer(StringBuilder text, CommandSpec spec) {
    List<String> lines =
        Arrays.stream(spec.usageMessage().footer()).filter(line -> !line.isBlank()).toList();
    if (lines.isEmpty()) {
      return;
    }
    boolean hasExamples = lines.getFirst().startsWith("Example");
    heading(text, hasExamples ? "EXAMPLES" : "NOTES");
    text.append(".nf\n");
    lines.stream()
        .skip(hasExamples ? 1 : 0)
        .forEach(line -> text.append(escape(line)).append('\n'));
    text.append(".fi\n");
  }

  private static void commands(StringBuilder text, CommandLine line) {
    if (!line.getSubcommands().isEmpty()) {
      heading(text, "SEE ALSO");
      text.append(
          line.getSubcommands().values().stream()
              .map(command -> "\\fB" + escape(name(command.getCommandSpec())) + "\\fR(1)")
              .distinct()
              .collect(Collectors.joining(",\n", "", "\n")));
    }
  }

  private static void heading(StringBuilder text, String heading) {
    text.append(".SH ").append(heading).append('\n');
  }

  private static void entry(StringBuilder text, OptionText option) {
    text.append(".TP\n\\fB").append(escape(option.names())).append("\\fR\n");
    text.append(escape(option.description())).append('\n');
  }

  /** Escapes text; a line must not begin with a control character of troff. */
  private static String escape(String text) {
    String escaped = text.replace("\\", "\\e").replace("-", "\\-");
    return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
  }
}
