package dev.mooring.junit;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.codec.BadBodyException;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.codec.YamlBodies;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

record ManifestDocument(String file, int line, JsonObject tree) {
  static List<ManifestDocument> parse(String file, String text) {
    List<ManifestDocument> documents = new ArrayList<>();
    StringBuilder document = new StringBuilder();
    int lineCount = 0;
    for (String line : text.lines().toList()) {
      lineCount++;
      if (line.equals("---") || line.startsWith("--- ")) {
        addDocument(documents, file, document.toString());
        // empty lines instead of the earlier documents: the parser counts the lines of the file
        document = new StringBuilder("\n".repeat(lineCount));
      } else {
        document.append(line).append('\n');
      }
    }
    addDocument(documents, file, document.toString());
    return documents;
  }

  private static void addDocument(List<ManifestDocument> documents, String file, String text) {
    if (text.lines().allMatch(line -> line.isBlank() || line.startsWith("#"))) {
      return;
    }
    List<String> fieldErrors = new ArrayList<>();
    int line = findLine(text, "\\s*[\"']?kind[\"']?\\s*:.*");
    try {
      new Yaml().compose(new StringReader(text)); // its exception has the line
      JsonObject tree =
          JsonParser.parseString(YamlBodies.toJson(text, fieldErrors)) instanceof JsonObject object
              ? object
              : new JsonObject();
      if (!fieldErrors.isEmpty()) {
        String[] parts = fieldErrors.get(0).split(": ", 2); // "line 7: key …"
        throw makeError(file, parts[0].replace("line ", ""), parts[1]);
      }
      ManifestDocument document = new ManifestDocument(file, line, tree);
      if (document.kind().isEmpty() || document.apiVersion().isEmpty()) {
        throw document.makeError("an object needs apiVersion and kind");
      }
      documents.add(document);
    } catch (MarkedYAMLException e) {
      long lastLine = text.lines().count(); // the end of the file has the next number
      long problemLine = Math.min(lastLine, e.getProblemMark().getLine() + 1L);
      throw makeError(file, String.valueOf(problemLine), e.getProblem());
    } catch (YAMLException | BadBodyException e) {
      throw makeError(file, String.valueOf(line), String.valueOf(e.getMessage()));
    }
  }

  private static int findLine(String text, String pattern) {
    List<String> lines = text.lines().toList();
    int firstLine = 1;
    for (int i = lines.size() - 1; i >= 0; i--) {
      if (lines.get(i).matches(pattern) && !lines.get(i).startsWith(" ")) {
        return i + 1;
      }
      if (!lines.get(i).isBlank()) {
        firstLine = i + 1;
      }
    }
    return firstLine;
  }

  private static ExtensionConfigurationException makeError(
      String file, String line, String message) {
    return new ExtensionConfigurationException(
        file + ":" + line + ": " + message.strip().replaceAll("\\s*\\n\\s*", " "));
  }

  ExtensionConfigurationException makeError(String message) {
    return makeError(file, String.valueOf(line), message);
  }

  String place() {
    return file + ":" + line;
  }

  String apiVersion() {
    return JsonBodies.textAt(tree, "apiVersion");
  }

  String kind() {
    return JsonBodies.textAt(tree, "kind");
  }

  String name() {
    return JsonBodies.textAt(tree, "metadata", "name");
  }

  String namespace() {
    return JsonBodies.textAt(tree, "metadata", "namespace");
  }

  String describe() {
    return kind() + " " + (namespace().isEmpty() ? "" : namespace() + "/") + name();
  }
}
