package dev.mooring.manager.help;

import dev.mooring.text.LineWrap;
import dev.mooring.text.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Layout of the help: groups of commands, sections of flags, and descriptions below their flags, so
 * that no word or value is split.
 */
public final class HelpLayout {
  private static final String FLAG_INDENT = "  ";
  private static final String TEXT_INDENT = "      ";

  /**
   * Command in the list of all commands.
   *
   * @param summary summary of a command of the launcher; "" for a command of this program
   */
  public record ListedCommand(String name, String summary) {}

  /** Sections of the flags of commands. */
  public interface Sections {
    /** Returns all headings in order. */
    List<String> headings();

    /** Returns the heading of an option; "" for none. */
    String headingOf(CommandSpec command, OptionSpec option);

    /**
     * Returns whether the help of a command refers to the flags of {@code run} instead of listing
     * them. {@link #headingOf} returns "" for its own flags.
     */
    boolean isLikeRun(CommandSpec command);
  }

  private final Map<String, List<ListedCommand>> groups;
  private final Sections sections;

  /**
   * @param groups commands by the heading of their group, in order: a name, or for commands of the
   *     launcher a name and a summary
   */
  public HelpLayout(Map<String, List<ListedCommand>> groups, Sections sections) {
    this.groups = groups;
    this.sections = sections;
  }

  /** Applies the layout to a command and its subcommands. */
  public void applyTo(CommandLine line) {
    line.setUsageHelpWidth(TextTable.TERMINAL);
    Map<String, CommandLine.IHelpSectionRenderer> renderers = line.getHelpSectionMap();
    CommandSpec spec = line.getCommandSpec();
    renderers.put(UsageMessageSpec.SECTION_KEY_SYNOPSIS, help -> synopsis(line));
    renderers.put(UsageMessageSpec.SECTION_KEY_PARAMETER_LIST, help -> parameters(spec, help));
    renderers.put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, help -> options(spec, help));
    spec.usageMessage().commandListHeading("%nCommands:%n");
    if (spec.parent() == null) {
      spec.usageMessage().commandListHeading("");
      renderers.put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, help -> commands(line));
    }
    line.getSubcommands().values().forEach(this::applyTo);
  }

  /**
   * Returns a command line with the required arguments; the help lists all other flags below it.
   */
  static String synopsis(CommandLine line) {
    CommandSpec spec = line.getCommandSpec();
    StringBuilder text = new StringBuilder(spec.qualifiedName());
    for (PositionalParamSpec parameter : spec.positionalParameters()) {
      boolean isRequired = parameter.arity().min() > 0;
      String label = parameter.paramLabel();
      text.append(' ').append(isRequired ? label : "[" + label + "]");
    }
    for (OptionSpec option : spec.options()) {
      if (option.required() && option.group() == null) {
        text.append(' ').append(option.longestName()).append(OptionText.value(option));
      }
    }
    if (!line.getSubcommands().isEmpty()) {
      text.append(' ').append(spec.usageMessage().synopsisSubcommandLabel());
    }
    return text.append(" [FLAGS]").append(System.lineSeparator()).toString();
  }

  /** Returns the listed options by the heading of their section, in order. */
  static Map<String, List<OptionText>> bySection(CommandSpec spec, Help help, Sections sections) {
    Map<String, List<OptionText>> optionsBySection = new LinkedHashMap<>();
    sections.headings().forEach(heading -> optionsBySection.put(heading, new ArrayList<>()));
    for (OptionSpec option : spec.options()) {
      String heading = sections.headingOf(spec, option);
      boolean isListed = !sections.isLikeRun(spec) || heading.isEmpty();
      if (!option.hidden() && isListed) {
        optionsBySection
            .computeIfAbsent(heading, h -> new ArrayList<>())
            .add(OptionText.of(option, help));
      }
    }
    optionsBySection.values().removeIf(List::isEmpty);
    return optionsBySection;
  }

  private static String parameters(CommandSpec spec, Help help) {
    if (spec.positionalParameters().isEmpty()) {
      return "";
    }
    StringBuilder text = new StringBuilder(System.lineSeparator());
    text.append("Arguments:").append(System.lineSeparator());
    spec.positionalParameters().stream()
        .map(parameter -> OptionText.of(parameter, help))
        .forEach(parameter -> append(text, parameter));
    return text.toString();
  }

  private static void append(StringBuilder text, OptionText option) {
    wrap(text, FLAG_INDENT, option.names());
    wrap(text, TEXT_INDENT, option.description());
  }

  private String options(CommandSpec spec, Help help) {
    StringBuilder text = new StringBuilder();
    bySection(spec, help, sections)
        .forEach((heading, options) -> {
          text.append(System.lineSeparator());
          text.append(heading.isEmpty() ? "Flags" : heading).append(':');
          text.append(System.lineSeparator());
          options.forEach(option -> append(text, option));
        });
    if (sections.isLikeRun(spec)) {
      text.append(System.lineSeparator());
      wrap(text, "", acceptance());
    }
    return text.toString();
  }

  static String acceptance() {
    return "Accepts the flags of 'mooring run', also --config. Specify those of the run; see 'mooring run --help'.";
  }

  private static void wrap(StringBuilder text, String heading, String words) {
    LineWrap.wrapWholeWords(heading, words, TextTable.TERMINAL)
        .forEach(line -> text.append(line).append(System.lineSeparator()));
  }

  private String commands(CommandLine root) {
    Map<String, CommandLine> subcommands = root.getSubcommands();
    int widest =
        groups.values().stream()
            .flatMap(List::stream)
            .mapToInt(listed -> listed.name().length())
            .max()
            .orElse(1);
    StringBuilder text = new StringBuilder();
    groups.forEach((heading, commands) -> {
      text.append(System.lineSeparator()).append(heading).append(':');
      text.append(System.lineSeparator());
      for (ListedCommand listed : commands) {
        CommandLine command = subcommands.get(listed.name());
        if (command != null || !listed.summary().isEmpty()) {
          wrap(
              text,
              FLAG_INDENT + listed.name() + " ".repeat(widest - listed.name().length() + 2),
              command == null ? listed.summary() : summary(command));
        }
      }
    });
    return text.toString();
  }

  /** Returns the first sentence of a command's description. */
  static String summary(CommandLine command) {
    String[] description = command.getCommandSpec().usageMessage().description();
    String text = description.length == 0 ? "" : description[0];
    int end = text.indexOf(". ");
    return end < 0 ? text : text.substring(0, end + 1);
  }
}
