import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.JSON;
import org.openapitools.client.api.AnalyticsApi;
import org.openapitools.client.api.BookingLinksApi;
import org.openapitools.client.api.CallsApi;
import org.openapitools.client.api.LeadsApi;
import org.openapitools.client.api.PaymentsApi;
import org.openapitools.client.model.Call;
import org.openapitools.client.model.CreateCallRequest;
import org.openapitools.client.model.CreateLeadRequest;
import org.openapitools.client.model.CreatePaymentRequest;
import org.openapitools.client.model.Guest;
import org.openapitools.client.model.Lead;
import org.openapitools.client.model.LeadList;
import org.openapitools.client.model.PaymentStatus;
import org.openapitools.client.model.RecordCallOutcomeRequest;
import org.openapitools.client.model.UpdateLeadRequest;

/** Null in every nullable place, then every surprise; then ten calls of the reference deployment. */
public class Calls {
  static int calls = 0;

  static <T> T done(T answer) {
    calls++;
    return answer;
  }

  static void holds(boolean what, String text) {
    if (!what) throw new AssertionError(text);
  }

  static void read(String file, boolean surprising) throws Exception {
    JsonObject samples = JsonParser.parseString(Files.readString(Path.of(file))).getAsJsonObject();
    for (Map.Entry<String, JsonElement> sample : samples.entrySet()) {
      Class<?> type = Class.forName("org.openapitools.client.model." + sample.getKey());
      Object value = JSON.getGson().fromJson(sample.getValue(), type);
      JsonElement again = JSON.getGson().toJsonTree(value);
      holds(!surprising || again.getAsJsonObject().has("surprise"), sample.getKey() + " loses an unknown field");
    }
  }

  public static void main(String[] arguments) throws Exception {
    new JSON();
    read("nulls.json", false);
    read("surprises.json", true);

    ApiClient client = new ApiClient();
    client.setBasePath(System.getenv("BASE_URL"));
    client.setBearerToken(System.getenv("API_KEY"));
    LeadsApi leads = new LeadsApi(client);
    CallsApi booked = new CallsApi(client);
    OffsetDateTime now = OffsetDateTime.now(ZoneOffset.UTC);

    Lead lead = done(leads.createLead(new CreateLeadRequest().email("java@example.com"))).getData();
    holds("java@example.com".equals(done(leads.getLead(lead.getId())).getData().getEmail()), "another lead");
    Lead changed = done(leads.updateLead(lead.getId(), new UpdateLeadRequest().status("qualified"))).getData();
    holds("qualified".equals(changed.getStatus()), "not qualified");
    LeadList page = done(leads.listLeads(1L, null, null));
    done(leads.listLeads(1L, page.getPagination().getNextCursor(), null));
    UUID link = UUID.fromString(System.getenv("BOOKING_LINK"));
    LocalDate today = now.toLocalDate();
    var slots = done(new BookingLinksApi(client).listAvailability(link, today, today.plusDays(14), null)).getData().getSlots();
    Instant start = Instant.ofEpochSecond(slots.get(slots.size() - 1).getStartTime());
    CreateCallRequest booking = new CreateCallRequest()
        .bookingLinkId(link)
        .startTime(start.atOffset(ZoneOffset.UTC))
        .guest(new Guest().email("guest.java@example.com").name("Guest"))
        .answers(Map.of("field_goal", "More time"));
    Call call = done(booked.createCall(booking, "java-1")).getData();
    RecordCallOutcomeRequest outcome = new RecordCallOutcomeRequest().status(RecordCallOutcomeRequest.StatusEnum.CLOSED);
    holds("closed".equals(done(booked.recordCallOutcome(call.getId(), outcome)).getData().getStatus()), "not closed");
    CreatePaymentRequest payment = new CreatePaymentRequest()
        .leadId(lead.getId())
        .amount(12.5)
        .paymentDate(now)
        .status(PaymentStatus.SUCCEEDED)
        .source("manual");
    holds(done(new PaymentsApi(client).createPayment(payment)).getData().getAmount() == 12.5, "another amount");
    done(new AnalyticsApi(client).getDashboard(null, null, null));
    System.out.println(calls + " calls");
    System.exit(0);
  }
}
