package dev.mooring.manager.command;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

record DriverFlag(String driver, String endpoint, Map<String, String> settings) {
  private static final String ENDPOINT = "endpoint";

  static List<DriverFlag> parseAll(List<String> endpoints) throws UsageException {
    List<DriverFlag> parseAll = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (String endpoint : endpoints) {
      DriverFlag flag = of(endpoint);
      if (!names.add(flag.driver())) {
        throw new InvalidFlagException(
            "--csi-endpoint contains driver " + flag.driver() + " twice: remove one");
      }
      parseAll.add(flag);
    }
    return parseAll;
  }

  private static DriverFlag of(String text) throws UsageException {
    int equals = text.indexOf('=');
    if (equals < 1 || equals == text.length() - 1) {
      throw new InvalidFlagException(
          "--csi-endpoint "
              + text
              + " must contain a driver and its endpoint, for example ebs.csi.aws.com=unix:///run/csi/socket");
    }
    String driver = text.substring(0, equals);
    String rest = text.substring(equals + 1);
    Map<String, String> settings =
        rest.startsWith("@") ? file(driver, rest.substring(1)) : inline(driver, rest);
    String endpoint = settings.remove(ENDPOINT);
    if (endpoint == null || endpoint.isEmpty()) {
      throw invalidFlag(driver, "the endpoint is missing (" + ENDPOINT + ")");
    }
    return new DriverFlag(driver, endpoint, Map.copyOf(settings));
  }

  private static Map<String, String> inline(String driver, String text) throws UsageException {
    Map<String, String> settings = new LinkedHashMap<>();
    String[] parts = text.split(",", -1);
    settings.put(ENDPOINT, parts[0]);
    for (int i = 1; i < parts.length; i++) {
      int equals = parts[i].indexOf('=');
      if (equals < 1) {
        throw invalidFlag(driver, "\"" + parts[i] + "\" is not of the form SETTING=VALUE");
      }
      String name = parts[i].substring(0, equals);
      if (settings.putIfAbsent(name, parts[i].substring(equals + 1)) != null) {
        throw invalidFlag(driver, "\"" + name + "\" is set twice");
      }
    }
    return settings;
  }

  private static Map<String, String> file(String driver, String file) throws UsageException {
    Object read = YamlFile.read("--csi-endpoint " + driver + ":", file);
    if (!(read instanceof Map<?, ?> members)) {
      throw invalidFlag(driver, file + " contains no settings");
    }
    Map<String, String> settings = new LinkedHashMap<>();
    for (Map.Entry<?, ?> member : members.entrySet()) {
      Object value = member.getValue();
      if (value == null || value instanceof Map || value instanceof List) {
        throw invalidFlag(
            driver, "\"" + member.getKey() + "\" in " + file + " must be a single value");
      }
      settings.put(String.valueOf(member.getKey()), String.valueOf(value));
    }
    return settings;
  }

  private static UsageException invalidFlag(String driver, String problem) {
    return new InvalidFlagException("--csi-endpoint " + driver + ": " + problem);
  }

  CsiSettings overrideDefaults(CsiSettings defaults) throws UsageException {
    Map<String, OptionSpec> general = CommandSpec.forAnnotatedObject(defaults).optionsMap();
    CsiSettings driverSettings = new CsiSettings();
    CommandLine line = FlagTypes.commandLine(driverSettings);
    line.setDefaultValueProvider(argument ->
        argument instanceof OptionSpec option
            ? text(Objects.requireNonNull(general.get(option.longestName())).getValue())
            : null);
    List<String> arguments = new ArrayList<>();
    for (Map.Entry<String, String> setting : settings.entrySet()) {
      arguments.add(flag(setting.getKey(), general.keySet()) + "=" + setting.getValue());
    }
    try {
      line.parseArgs(arguments.toArray(String[]::new));
    } catch (CommandLine.ParameterException e) {
      throw invalidFlag(driver, String.valueOf(e.getMessage()));
    }
    return driverSettings;
  }

  private String flag(String setting, Set<String> flags) throws UsageException {
    for (String flag : List.of("--csi-" + setting, "--" + setting)) {
      if (flags.contains(flag)) {
        return flag;
      }
    }
    Set<String> settings = new TreeSet<>();
    flags.forEach(flag -> settings.add(flag.replaceFirst("^--(csi-)?", "")));
    throw invalidFlag(
        driver,
        "unknown setting \"" + setting + "\"; known settings: " + String.join(", ", settings));
  }

  private static @Nullable String text(@Nullable Object value) {
    return value == null
        ? null
        : value instanceof Duration duration ? duration.toNanos() + "ns" : String.valueOf(value);
  }
}
