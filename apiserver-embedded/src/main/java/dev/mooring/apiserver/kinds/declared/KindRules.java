package dev.mooring.apiserver.kinds.declared;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The rules of one kind in {@code rules.txt}. */
record KindRules(List<Default> defaults, List<Rule> rules, Map<String, List<Rule>> byKeyword) {
  record Rule(String keyword, String subject, String detail, MemberPath path) {}

  /**
   * A default.
   *
   * @param value the value; JSON null if the source has it
   * @param source the member that has the value; empty if the rule has it
   * @param keyword absent, default or nonzero
   * @param condition PATH=TEXT; "" for none
   */
  record Default(
      MemberPath path,
      JsonElement value,
      Optional<MemberPath> source,
      String keyword,
      String condition) {}

  private static final Set<String> DEFAULTS = Set.of("absent", "default", "nonzero");
  private static final String CONDITION = " if ";
  private static final Map<String, List<String>> SECTIONS = readSections();

  static KindRules of(String kindName) {
    List<Default> defaults = new ArrayList<>();
    List<Rule> rules = new ArrayList<>();
    Map<String, List<Rule>> byKeyword = new HashMap<>();
    for (String line : Objects.requireNonNullElse(SECTIONS.get(kindName), List.<String>of())) {
      String[] words = line.split(" ", 3);
      String detail = words.length > 2 ? words[2] : "";
      MemberPath path = MemberPath.parse(words[1]);
      if (DEFAULTS.contains(words[0])) {
        defaults.add(parseDefault(path, detail, words[0]));
      } else {
        Rule rule = new Rule(words[0], words[1], detail, path);
        rules.add(rule);
        byKeyword.computeIfAbsent(words[0], k -> new ArrayList<>()).add(rule);
      }
    }
    return new KindRules(List.copyOf(defaults), List.copyOf(rules), Map.copyOf(byKeyword));
  }

  private static Default parseDefault(MemberPath path, String detail, String keyword) {
    int start = detail.lastIndexOf(CONDITION);
    String value = start < 0 ? detail : detail.substring(0, start);
    String condition = start < 0 ? "" : detail.substring(start + CONDITION.length());
    return value.startsWith("=")
        ? new Default(
            path,
            JsonNull.INSTANCE,
            Optional.of(MemberPath.parse(value.substring(1))),
            keyword,
            condition)
        : new Default(path, JsonParser.parseString(value), Optional.empty(), keyword, condition);
  }

  List<Rule> find(String keyword) {
    return byKeyword.getOrDefault(keyword, List.of());
  }

  private static Map<String, List<String>> readSections() {
    Map<String, List<String>> sections = new HashMap<>();
    String file = "/dev/mooring/apiserver/kinds/rules.txt";
    try (InputStream in = Objects.requireNonNull(KindRules.class.getResourceAsStream(file), file);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      List<String> section = new ArrayList<>();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("[")) {
          section = new ArrayList<>();
          sections.put(line.substring(1, line.length() - 1), section);
        } else if (!line.isBlank() && !line.startsWith("#")) {
          section.add(line);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(file, e);
    }
    return Map.copyOf(sections);
  }
}
