package dev.mooring.manager.grow;

import dev.mooring.text.TextTable;
import java.time.Duration;
import java.util.List;

public final class GrowthText {
  private GrowthText() {}

  public static String table(GrowthRequest request, List<GrowthStep> steps) {
    TextTable table = new TextTable(TextTable.UNLIMITED, "STEP", "OBJECT", "ACTION");
    int number = 1;
    for (GrowthStep step : steps) {
      table.row(Integer.toString(number++), object(request, step), action(request, step));
    }
    return table.toString();
  }

  private static String object(GrowthRequest request, GrowthStep step) {
    return switch (step) {
      case GrowthStep.GrowClaim grow -> "PersistentVolumeClaim " + grow.claim().key().name();
      case GrowthStep.SaveStatefulSet _, GrowthStep.FinishStatefulSet _ ->
          "ConfigMap " + request.configMap().name();
      case GrowthStep.DeleteStatefulSet _,
          GrowthStep.AwaitDeletion _,
          GrowthStep.CreateStatefulSet _ ->
          "StatefulSet " + request.statefulSet().name();
    };
  }

  private static String action(GrowthRequest request, GrowthStep step) {
    return switch (step) {
      case GrowthStep.GrowClaim grow ->
          new ClaimGrowth(grow.claim(), request.size()).state() == ClaimGrowth.State.GROWING
              ? "wait until it has " + request.size()
              : "grow from %s to %s".formatted(grow.claim().request(), request.size());
      case GrowthStep.SaveStatefulSet _ -> "save the StatefulSet";
      case GrowthStep.DeleteStatefulSet _ -> "delete; the pods keep running";
      case GrowthStep.AwaitDeletion _ -> "wait until it is deleted";
      case GrowthStep.CreateStatefulSet create ->
          "create with %s in template %s".formatted(request.size(), create.saved().template());
      case GrowthStep.FinishStatefulSet _ -> "delete";
    };
  }

  static String elapsed(Duration duration) {
    return duration.compareTo(Duration.ofMinutes(1)) < 0
        ? "%d.%ds".formatted(duration.toSeconds(), duration.toMillisPart() / 100)
        : "%dm%02ds".formatted(duration.toMinutes(), duration.toSecondsPart());
  }
}
