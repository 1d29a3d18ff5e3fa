package dev.mooring.benchmarks;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Output of a benchmark: progress to stderr, verdicts to stdout, and files. */
public final class BenchOutput {
  private BenchOutput() {}

  public static void progress(String line) {
    System.err.println("  " + line);
  }

  public static void reportLimit(String description, boolean isMet) {
    System.out.println((isMet ? "met     " : "MISSED  ") + description);
  }

  public static Path directory() {
    return Path.of(System.getProperty("bench.out", "benchmarks/target"));
  }

  public static void write(String name, JsonElement figures) throws IOException {
    Files.createDirectories(directory());
    Files.writeString(
        directory().resolve(name + ".json"),
        new GsonBuilder().setPrettyPrinting().create().toJson(figures));
  }

  public static void write(String name, JsonElement figures, String svg) throws IOException {
    write(name, figures);
    Files.writeString(directory().resolve(name + ".svg"), svg);
    System.out.println(
        "written: "
            + directory().resolve(name + ".json")
            + ", "
            + directory().resolve(name + ".svg"));
  }
}
