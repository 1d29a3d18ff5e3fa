package dev.mooring.manager.help;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Option of a command as text.
 *
 * @param names names with the value, for example {@code -n, --namespace=NAMESPACE}
 * @param description description with default and candidates filled in
 */
record OptionText(String names, String description) {
  static OptionText of(OptionSpec option, Help help) {
    String names = String.join(", ", option.names());
    Text[][] cells =
        help.createDefaultOptionRenderer()
            .render(option, Help.createMinimalParamLabelRenderer(), help.colorScheme());
    return new OptionText(names + value(option), lastColumn(cells));
  }

  static OptionText of(PositionalParamSpec parameter, Help help) {
    Text[][] cells =
        help.createDefaultParameterRenderer()
            .render(parameter, Help.createMinimalParamLabelRenderer(), help.colorScheme());
    return new OptionText(parameter.paramLabel(), lastColumn(cells));
  }

  private static String lastColumn(Text[][] cells) {
    return Arrays.stream(cells)
        .map(row -> row[row.length - 1].toString().strip())
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining(" "));
  }

  static String value(OptionSpec option) {
    if (option.arity().max() == 0) {
      return "";
    }
    Class<?> type = option.type();
    if (type == boolean.class || type == Boolean.class) {
      return "=true|false";
    }
    if (type.isEnum()) {
      return "="
          + Arrays.stream(type.getEnumConstants())
              .map(Object::toString)
              .collect(Collectors.joining("|"));
    }
    String label = option.paramLabel();
    return "="
        + (label.startsWith("<")
            ? label.substring(1, label.length() - 1).toUpperCase(Locale.ROOT)
            : label);
  }
}
