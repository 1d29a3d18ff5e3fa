package com.example;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.util.Config;
import java.io.IOException;
import java.io.StringReader;
import java.util.Map;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.stereotype.Service;

@SpringBootApplication
public class ShopApplication {
  public static void main(String[] arguments) {
    SpringApplication.run(ShopApplication.class, arguments);
  }

  @Bean
  ApiClient client(@Value("${shop.kubeconfig}") String kubeconfig) throws IOException {
    return Config.fromConfig(new StringReader(kubeconfig));
  }

  @Service
  static class Prices {
    private final CoreV1Api api;
    private final String namespace;

    Prices(ApiClient client, @Value("${shop.namespace}") String namespace) {
      this.api = new CoreV1Api(client);
      this.namespace = namespace;
    }

    Map<String, String> read() throws ApiException {
      return api.readNamespacedConfigMap("prices", namespace).execute().getData();
    }
  }
}
