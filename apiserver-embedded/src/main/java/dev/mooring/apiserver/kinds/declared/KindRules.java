package dev.mooring.apiserver.kinds.declared;

import com.google.gson.JsonElement;
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

/** The rules of one kind in {@code rules.txt}. */
record KindRules(List<Default> defaults, List<Rule> rules) {
  record Rule(String keyword, String subject, String detail) {
    MemberPath path() {
      return MemberPath.parse(subject);
    }
  }

  record Default(MemberPath path, String value, boolean replacesZero, String condition) {
    Optional<MemberPath> source() {
      return value.startsWith("=")
          ? Optional.of(MemberPath.parse(value.substring(1)))
          : Optional.empty();
    }

    JsonElement parseValue() {
      return JsonParser.parseString(value);
    }
  }

  private static final Map<String, List<String>> SECTIONS = readSections();

  static KindRules of(String kindName) {
    List<Default> defaults = new ArrayList<>();
    List<Rule> rules = new ArrayList<>();
    for (String line : Objects.requireNonNullElse(SECTIONS.get(kindName), List.<String>of())) {
      String[] words = line.split(" ", 3);
      String detail = words.length > 2 ? words[2] : "";
      if (words[0].equals("default") || words[0].equals("nonzero")) {
        int condition = detail.lastIndexOf(" if ");
        defaults.add(
            new Default(
                MemberPath.parse(words[1]),
                condition < 0 ? detail : detail.substring(0, condition),
                words[0].equals("nonzero"),
                condition < 0 ? "" : detail.substring(condition + " if ".length())));
      } else {
        rules.add(new Rule(words[0], words[1], detail));
      }
    }
    return new KindRules(List.copyOf(defaults), List.copyOf(rules));
  }

  List<Rule> find(String keyword) {
    return rules.stream().filter(rule -> rule.keyword.equals(keyword)).toList();
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
