package dev.mooring.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.GsonBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JsonBodyTest {
  @Test
  void of_everyKindOfValue_equalsGsonsText() {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    members.put("null", null);
    members.put("text", "a \"quoted\" \\ <b>&'</b> \n\u2028 ü \ud83d\ude00 \ud83d");
    members.put("flag", true);
    members.put("numbers", Arrays.asList(1, Long.MAX_VALUE, -2.5, null));
    members.put("empty", Map.of());
    members.put("other types", List.of(new int[] {1, 2}, Thread.State.NEW, 'c'));
    members.put("list", List.of(Map.of("name", List.of()), "x"));
    String expected =
        new GsonBuilder().serializeNulls().disableHtmlEscaping().create().toJson(members);
    assertThat(JsonBody.of(members)).isEqualTo(expected.getBytes(StandardCharsets.UTF_8));
  }
}
