package dev.mooring.apiserver.kinds.declared;

import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;
import static dev.mooring.apiserver.kinds.model.TableColumns.defaultIfEmpty;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;

final class JobCells {
  private static final Map<String, String> FINAL_STATUS = new LinkedHashMap<>();
  private static final Map<String, String> OTHER_STATUS = new LinkedHashMap<>();

  static {
    FINAL_STATUS.put("Complete", "Complete");
    FINAL_STATUS.put("Failed", "Failed");
    OTHER_STATUS.put("Suspended", "Suspended");
    OTHER_STATUS.put("FailureTarget", "FailureTarget");
    OTHER_STATUS.put("SuccessCriteriaMet", "SuccessCriteriaMet");
  }

  private JobCells() {}

  static String formatStatus(JsonObject job) {
    String status = findStatus(job, FINAL_STATUS);
    if (status.isEmpty() && !textAt(job, "metadata", "deletionTimestamp").isEmpty()) {
      return "Terminating";
    }
    return defaultIfEmpty(status.isEmpty() ? findStatus(job, OTHER_STATUS) : status, "Running");
  }

  private static String findStatus(JsonObject job, Map<String, String> texts) {
    for (Map.Entry<String, String> text : texts.entrySet()) {
      if (ComputedCells.findConditionStatus(job, text.getKey(), "").equals("True")) {
        return text.getValue();
      }
    }
    return "";
  }

  static String formatCompletions(JsonObject job) {
    String succeeded = defaultIfEmpty(textAt(job, "status", "succeeded"), "0");
    String completions = textAt(job, "spec", "completions");
    JsonElement parallelism = valueAt(job, "spec", "parallelism");
    if (!completions.isEmpty()) {
      return succeeded + "/" + completions;
    }
    return parallelism != null && parallelism.getAsLong() > 1
        ? succeeded + "/1 of " + parallelism.getAsLong()
        : succeeded + "/1";
  }

  static String formatDuration(JsonObject job) {
    String start = textAt(job, "status", "startTime");
    return start.isEmpty()
        ? ""
        : ComputedCells.formatBetween(start, textAt(job, "status", "completionTime"));
  }
}
