package dev.mooring.dist;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Generates the chart's README from the keys, defaults and comments of {@code values.yaml}. */
final class ChartReadme {
  private static final String HEAD =
      """
      # Mooring

      This chart installs [Mooring](https://mooring.dev), Kubernetes' volume controllers on the JVM.

      ```
      helm install mooring deploy/chart --namespace mooring --create-namespace \\
        --set image.repository=registry.example.com/mooring
      ```

      `docs/install.md` explains the modes. `values.schema.json` rejects unknown values. This page is generated from `values.yaml`.

      | Value | Default | Meaning |
      |---|---|---|
      """;

  private static final Pattern KEY = Pattern.compile("( *)([A-Za-z]+):(?: (\\S.*?))??(?: # (.*))?");

  private record Parent(int indent, String path) {}

  private final Deque<Parent> parents = new ArrayDeque<>();
  private final List<String> comments = new ArrayList<>();
  private final StringBuilder text = new StringBuilder(HEAD);

  private ChartReadme() {}

  static String of(String values) {
    ChartReadme readme = new ChartReadme();
    for (Iterator<String> lines = values.lines().iterator(); lines.hasNext(); ) {
      readme.add(lines.next());
    }
    return readme.text.toString();
  }

  private void add(String line) {
    if (line.isBlank()) {
      comments.clear();
      return;
    }
    if (line.strip().startsWith("#")) {
      comments.add(line.strip().substring(1).strip());
      return;
    }
    Matcher key = KEY.matcher(line);
    if (key.matches()) {
      addKey(key);
    } // else an item of a default list
    comments.clear();
  }

  private void addKey(Matcher key) {
    int indent = key.group(1).length();
    while (!parents.isEmpty() && parents.peek().indent() >= indent) {
      parents.pop();
    }
    String path = (parents.isEmpty() ? "" : parents.peek().path() + ".") + key.group(2);
    parents.push(new Parent(indent, path));
    if (key.group(4) != null) {
      comments.add(key.group(4));
    }
    if (key.group(3) != null || !comments.isEmpty()) {
      String value = key.group(3) == null ? "" : "`" + key.group(3) + "`";
      String meaning = String.join(" ", comments).replace("|", "\\|");
      text.append("| `%s` | %s | %s |\n".formatted(path, value, meaning));
    }
  }
}
