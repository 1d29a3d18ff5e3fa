package dev.mooring.testkit;

import java.util.List;
import java.util.Random;

/** Generates values that a tenant may write where a name is expected. Not thread-safe. */
public final class HostileText {
  private static final List<String> STEPS =
      List.of(
          "..",
          ".",
          "../..",
          "/",
          "//",
          "\\",
          "..\\..",
          "%2e%2e",
          "%2E%2e%2f",
          "%2f",
          "%252e%252e",
          "%00",
          "%c0%ae%c0%ae",
          "..;",
          "..%00",
          "\u2025",
          "\uff0e\uff0e",
          "\u2215",
          "\uff0f");
  private static final List<String> PLACES =
      List.of(
          "pods",
          "nodes",
          "persistentvolumes",
          "secrets",
          "db",
          "status",
          "victim",
          "namespaces/victim/persistentvolumeclaims/db",
          "persistentvolumeclaims",
          "api/v1/pods",
          "namespaces/victim/secrets/s",
          "volumesnapshots",
          "x",
          "data-0",
          "web-1.example.com");
  private static final List<String> TAILS =
      List.of(
          "",
          "",
          "",
          "?watch=true",
          "?watch=1&timeoutSeconds=3600",
          "&limit=1",
          "#x",
          "?",
          "#",
          "%",
          "%zz",
          " ",
          "\t",
          "\n",
          "\r\nHost: elsewhere\r\n\r\n",
          "\u0000",
          "\u007f",
          "\u0085",
          "\u202e",
          "\ufeff",
          "\ud800",
          "\udc00\ud800",
          "\u00fc",
          "\ud83d\udca5",
          ";x=y",
          "/status",
          "\"}",
          "{{.}}",
          "${pvc.name}",
          "$(id)",
          "'",
          "<script>",
          "|",
          "^",
          "`",
          "[::1]",
          "@host");

  private final Random random;

  public HostileText(long seed) {
    this.random = new Random(seed);
  }

  public String nextText() {
    return switch (random.nextInt(8)) {
      case 0 -> pick(STEPS);
      case 1 -> pick(PLACES) + pick(TAILS);
      case 2 -> "x".repeat(200 + random.nextInt(100)) + pick(TAILS);
      case 3 -> randomCharacters();
      case 4 -> pick(TAILS) + pick(PLACES);
      default -> pathSteps() + pick(PLACES) + pick(TAILS);
    };
  }

  private String pick(List<String> options) {
    return options.get(random.nextInt(options.size()));
  }

  private String pathSteps() {
    StringBuilder steps = new StringBuilder();
    for (int i = random.nextInt(5); i >= 0; i--) {
      steps.append(pick(STEPS)).append(random.nextBoolean() ? "/" : "");
    }
    return steps.toString();
  }

  private String randomCharacters() {
    StringBuilder characters = new StringBuilder();
    for (int i = random.nextInt(12); i >= 0; i--) {
      characters.append(
          (char) (random.nextInt(4) == 0 ? random.nextInt(0x10000) : random.nextInt(128)));
    }
    return characters.toString();
  }
}
