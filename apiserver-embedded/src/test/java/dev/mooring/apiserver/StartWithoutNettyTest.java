package dev.mooring.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Loading the classes of Netty would double the start of a server without TLS. */
class StartWithoutNettyTest {
  @Test
  void server_withoutTls_answersWithoutNetty() throws Exception {
    List<URL> classPath = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (!Path.of(entry).getFileName().toString().startsWith("netty-")) {
        classPath.add(Path.of(entry).toUri().toURL());
      }
    }
    try (URLClassLoader loader =
            new URLClassLoader(
                classPath.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
        HttpClient client = HttpClient.newHttpClient()) {
      Class<?> options = loader.loadClass(ApiServer.ServerOptions.class.getName());
      Class<?> type = loader.loadClass(ApiServer.class.getName());
      try (AutoCloseable server =
          (AutoCloseable)
              type.getMethod("start", options)
                  .invoke(null, options.getField("DEFAULTS").get(null))) {
        String url = type.getMethod("url").invoke(server) + "/api/v1/namespaces/default";

        HttpResponse<String> answer =
            client.send(
                HttpRequest.newBuilder(URI.create(url)).build(),
                HttpResponse.BodyHandlers.ofString());

        assertThat(answer.statusCode()).isEqualTo(200);
      }
    }
  }
}
