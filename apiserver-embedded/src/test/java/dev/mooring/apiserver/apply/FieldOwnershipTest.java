package dev.mooring.apiserver.apply;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;

class FieldOwnershipTest {
  private static JsonObject owned(String label, String... managersWithTimes) {
    StringBuilder entries = new StringBuilder();
    for (String entry : managersWithTimes) {
      String[] parts = entry.split(" ");
      entries
          .append(entries.isEmpty() ? "" : ",")
          .append("{'manager':'%s','time':'%s'}".formatted(parts[0], parts[1]));
    }
    return JsonParser.parseString(
            "{'metadata':{'labels':{'a':'%s'},'managedFields':[%s]}}".formatted(label, entries))
        .getAsJsonObject();
  }

  @Test
  void keepTimestamps_onlyTimeChanged_keepsOldEntries() {
    JsonObject fresh = owned("x", "m1 10:00:01");
    FieldOwnership.keepTimestamps(owned("x", "m1 10:00:00"), fresh);
    assertThat(fresh).isEqualTo(owned("x", "m1 10:00:00"));
  }

  @Test
  void keepTimestamps_onlyTimeAndOrderChanged_keepsOldEntries() {
    JsonObject fresh = owned("x", "m2 10:00:00", "m1 10:00:01");
    FieldOwnership.keepTimestamps(owned("x", "m1 10:00:00", "m2 10:00:00"), fresh);
    assertThat(fresh).isEqualTo(owned("x", "m1 10:00:00", "m2 10:00:00"));
  }

  @Test
  void keepTimestamps_managerChanged_keepsNewEntries() {
    JsonObject fresh = owned("x", "m1 10:00:00", "m3 10:00:01");
    FieldOwnership.keepTimestamps(owned("x", "m1 10:00:00", "m2 10:00:00"), fresh);
    assertThat(fresh).isEqualTo(owned("x", "m1 10:00:00", "m3 10:00:01"));
  }

  @Test
  void keepTimestamps_fieldChanged_keepsNewEntries() {
    JsonObject fresh = owned("y", "m1 10:00:01");
    FieldOwnership.keepTimestamps(owned("x", "m1 10:00:00"), fresh);
    assertThat(fresh).isEqualTo(owned("y", "m1 10:00:01"));
  }
}
