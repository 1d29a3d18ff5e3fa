package dev.mooring.apiserver.apply;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;

class FieldOwnershipTest {
  private static JsonObject makeObject(String label, String... managersWithTimes) {
    StringBuilder entries = new StringBuilder();
    for (String entry : managersWithTimes) {
      String[] words = entry.split(" ");
      entries
          .append(entries.isEmpty() ? "" : ",")
          .append("{'manager':'%s','time':'%s'}".formatted(words[0], words[1]));
    }
    return JsonParser.parseString(
            "{'metadata':{'labels':{'a':'%s'},'managedFields':[%s]}}".formatted(label, entries))
        .getAsJsonObject();
  }

  @Test
  void retainTimestamps_onlyTimeChanged_keepsOldEntries() {
    JsonObject object = makeObject("x", "m1 10:00:01");
    FieldOwnership.retainTimestamps(makeObject("x", "m1 10:00:00"), object);
    assertThat(object).isEqualTo(makeObject("x", "m1 10:00:00"));
  }

  @Test
  void retainTimestamps_onlyTimeAndOrderChanged_keepsOldEntries() {
    JsonObject object = makeObject("x", "m2 10:00:00", "m1 10:00:01");
    FieldOwnership.retainTimestamps(makeObject("x", "m1 10:00:00", "m2 10:00:00"), object);
    assertThat(object).isEqualTo(makeObject("x", "m1 10:00:00", "m2 10:00:00"));
  }

  @Test
  void retainTimestamps_managerChanged_keepsNewEntries() {
    JsonObject object = makeObject("x", "m1 10:00:00", "m3 10:00:01");
    FieldOwnership.retainTimestamps(makeObject("x", "m1 10:00:00", "m2 10:00:00"), object);
    assertThat(object).isEqualTo(makeObject("x", "m1 10:00:00", "m3 10:00:01"));
  }

  @Test
  void retainTimestamps_fieldChanged_keepsNewEntries() {
    JsonObject object = makeObject("y", "m1 10:00:01");
    FieldOwnership.retainTimestamps(makeObject("x", "m1 10:00:00"), object);
    assertThat(object).isEqualTo(makeObject("y", "m1 10:00:01"));
  }
}
