package openapi

import (
	"context"
	"encoding/json"
	"os"
	"testing"
	"time"
)

// Null in every nullable place, then everything that the document allows and a generator may forget.
func TestReads(t *testing.T) {
	for _, file := range []string{"nulls.json", "surprises.json"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		samples := map[string]json.RawMessage{}
		if err := json.Unmarshal(text, &samples); err != nil {
			t.Fatal(err)
		}
		for name, sample := range samples {
			if err := json.Unmarshal(sample, types[name]()); err != nil {
				t.Errorf("%s of %s: %v", name, file, err)
			}
		}
	}
}

func TestCalls(t *testing.T) {
	settings := NewConfiguration()
	settings.Servers = ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	settings.AddDefaultHeader("Authorization", "Bearer "+os.Getenv("API_KEY"))
	client, background := NewAPIClient(settings), context.Background()
	calls := 0
	done := func(err error) {
		if err != nil {
			t.Fatalf("call %d: %v", calls+1, err)
		}
		calls++
	}

	lead, _, err := client.LeadsAPI.CreateLead(background).CreateLeadRequest(*NewCreateLeadRequest("go@example.com")).Execute()
	done(err)
	id := lead.Data.Id
	_, _, err = client.LeadsAPI.GetLead(background, id).Execute()
	done(err)
	change := NewUpdateLeadRequest()
	change.SetStatus("qualified")
	_, _, err = client.LeadsAPI.UpdateLead(background, id).UpdateLeadRequest(*change).Execute()
	done(err)
	page, _, err := client.LeadsAPI.ListLeads(background).Limit(1).Execute()
	done(err)
	_, _, err = client.LeadsAPI.ListLeads(background).Limit(1).Cursor(page.Pagination.GetNextCursor()).Execute()
	done(err)

	link, now := os.Getenv("BOOKING_LINK"), time.Now().UTC()
	days := client.BookingLinksAPI.ListAvailability(background, link)
	free, _, err := days.StartDate(now.Format("2006-01-02")).EndDate(now.AddDate(0, 0, 14).Format("2006-01-02")).Execute()
	done(err)
	slot := free.Data.Slots[len(free.Data.Slots)-1]
	guest := NewGuest()
	guest.SetEmail("guest.go@example.com")
	guest.SetName("Guest")
	booking := NewCreateCallRequest(link, time.Unix(slot.StartTime, 0).UTC(), *guest)
	booking.SetAnswers(map[string]any{"field_goal": "More time"})
	call, _, err := client.CallsAPI.CreateCall(background).CreateCallRequest(*booking).Execute()
	done(err)
	outcome := NewRecordCallOutcomeRequest("closed")
	_, _, err = client.CallsAPI.RecordCallOutcome(background, call.Data.Id).RecordCallOutcomeRequest(*outcome).Execute()
	done(err)
	paid := NewCreatePaymentRequest(id, 12.5, now, SUCCEEDED, "manual")
	_, _, err = client.PaymentsAPI.CreatePayment(background).CreatePaymentRequest(*paid).Execute()
	done(err)
	_, _, err = client.AnalyticsAPI.GetDashboard(background).Execute()
	done(err)
	t.Logf("%d calls", calls)
}
