package dev.mooring.manager.simulate;

import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.manager.explain.TextLayout;
import dev.mooring.manager.explain.WaitingText;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/** A report for people. Lost data comes first. */
public final class ReportText {
  private static final int MAX_LINES = 40;
  private static final String VOLUME = KindCatalogue.VOLUMES.singular();
  private static final String RED = "\u001b[1;31m";
  private static final String RESET = "\u001b[0m";

  private ReportText() {}

  public static String of(SimulationReport report, TextLayout layout) {
    StringJoiner text = new StringJoiner("\n\n");
    if (report.losses().isEmpty()) {
      text.add("No data is destroyed.");
    } else {
      String title = "DATA DESTROYED: " + count(report.losses());
      text.add((layout.hasColours() ? RED + title + RESET : title) + losses(report.losses()));
    }
    if (!report.lossesWithoutChange().isEmpty()) {
      text.add(
          "Destroyed even without the change: "
              + count(report.lossesWithoutChange())
              + losses(report.lossesWithoutChange()));
    }
    text.add(
        "Changes: "
            + count(report.changes().size(), "object")
            + lines(
                report.changes().stream()
                    .map(change -> change.kind() + " " + change.key() + ": " + change.text())
                    .toList()));
    if (report.waiting().waits()) {
      text.add("Waits because of the change:\n" + WaitingText.ofCauses(report.waiting(), layout));
    }
    if (report.waitingBefore() > 0) {
      text.add(
          "%s even without the change ('mooring explain -A')."
              .formatted(
                  count(report.waitingBefore(), "object")
                      + (report.waitingBefore() == 1 ? " waits" : " wait")));
    }
    text.add(
        "%s, the last after %s of simulated time. Assumptions:"
                .formatted(
                    count(report.writes(), "API write"), ClusterSimulation.text(report.elapsed()))
            + lines(report.assumptions()));
    return text.toString();
  }

  private static String count(List<DataLoss> losses) {
    long volumes = losses.stream().filter(loss -> loss.kind().equals(VOLUME)).count();
    List<String> counts = new ArrayList<>();
    if (volumes > 0) {
      counts.add(count(volumes, "volume"));
    }
    if (volumes < losses.size()) {
      counts.add(count(losses.size() - volumes, "snapshot"));
    }
    return String.join(", ", counts);
  }

  // without a limit of lines
  private static String losses(List<DataLoss> losses) {
    return losses.stream().map(loss -> "\n  " + line(loss)).collect(Collectors.joining());
  }

  private static String line(DataLoss loss) {
    return "%s %s (%sclass %s, %s): %s deletes it, because %s"
        .formatted(
            loss.kind(),
            loss.name(),
            loss.capacity().isEmpty() ? "" : loss.capacity() + ", ",
            loss.className().isEmpty() ? "\"\"" : loss.className(),
            loss.owner(),
            loss.driver(),
            loss.cause());
  }

  private static String lines(List<String> lines) {
    StringBuilder text = new StringBuilder();
    lines.stream().limit(MAX_LINES).forEach(line -> text.append("\n  ").append(line));
    if (lines.size() > MAX_LINES) {
      text.append("\n  %,d more (-o json lists all)".formatted(lines.size() - MAX_LINES));
    }
    return text.toString();
  }

  private static String count(long number, String noun) {
    return "%,d %s%s".formatted(number, noun, number == 1 ? "" : "s");
  }
}
