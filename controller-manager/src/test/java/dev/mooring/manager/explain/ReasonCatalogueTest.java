package dev.mooring.manager.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.time.SystemTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ReasonCatalogueTest {
  private static final Path PAGE = Path.of("..", "docs", "reasons.md");

  private static Map<String, List<String>> readPage() throws IOException {
    Map<String, List<String>> byCode = new TreeMap<>();
    for (String line : Files.readString(PAGE).split("## Order of reasons", 2)[0].lines().toList()) {
      List<String> cells =
          Arrays.stream(line.replaceFirst("^\\|", "").split("\\|")).map(String::strip).toList();
      if (line.startsWith("| ") && !cells.getFirst().equals("Code")) {
        byCode.put(cells.getFirst(), cells.subList(cells.size() - 2, cells.size()));
      }
    }
    return byCode;
  }

  @Test
  void json_allCauses_equalsReasonsPage() throws IOException {
    Map<String, List<String>> catalogue = new TreeMap<>();
    JsonParser.parseString(ReasonCatalogue.json(ReasonCatalogue.allCauses(new SystemTime())))
        .getAsJsonObject()
        .getAsJsonArray("items")
        .forEach(item -> {
          JsonObject reason = item.getAsJsonObject();
          catalogue.put(
              reason.get("code").getAsString(),
              List.of(reason.get("meaning").getAsString(), reason.get("remedy").getAsString()));
        });
    assertThat(catalogue).hasSizeGreaterThan(50).isEqualTo(readPage());
  }

  @Test
  void text_allCauses_fitsEightyColumns() {
    assertThat(ReasonCatalogue.text(ReasonCatalogue.allCauses(new SystemTime())).lines())
        .hasSizeGreaterThan(100)
        .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80));
  }
}
